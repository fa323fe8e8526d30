# Does the default action of the button at a place of the screen, through the accessibility bus, as a screen reader does it:
# neither the pointer nor a key is moved.
import sys
import time

from jeepney import DBusAddress, new_method_call
from jeepney.io.blocking import open_dbus_connection

X, Y = int(sys.argv[1]), int(sys.argv[2])
BUTTON = 43


def call(bus, name, path, interface, method, signature=None, body=()):
    address = DBusAddress(path, bus_name=name, interface=f"org.a11y.{interface}")
    reply = bus.send_and_get_reply(new_method_call(address, method, signature, body), timeout=5)
    return reply.body


def buttons(bus, name, path):
    """The buttons below an accessible object, with where they are on the screen."""
    try:
        if call(bus, name, path, "atspi.Accessible", "GetRole")[0] == BUTTON:
            yield name, path, call(bus, name, path, "atspi.Component", "GetExtents", "u", (0,))[0]
        for child_name, child_path in call(bus, name, path, "atspi.Accessible", "GetChildren")[0]:
            yield from buttons(bus, child_name, child_path)
    except Exception as error:  # A page changes while it is read.
        print(type(error).__name__, error, file=sys.stderr)


session = open_dbus_connection(bus="SESSION")
bus = open_dbus_connection(bus=call(session, "org.a11y.Bus", "/org/a11y/bus", "Bus", "GetAddress")[0])
for _ in range(10):
    found = [
        (w * h, name, path)
        for name, path, (x, y, w, h) in buttons(bus, "org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")
        if x <= X < x + w and y <= Y < y + h
    ]
    if found:
        _, name, path = min(found)
        call(bus, name, path, "atspi.Action", "DoAction", "i", (0,))
        sys.exit(0)
    time.sleep(0.3)
sys.exit("error: the accessibility bus knows of no button there")
