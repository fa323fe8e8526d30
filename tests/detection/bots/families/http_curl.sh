# Requests of curl that follow the documented protocol. The work puzzle and the rows are made by a line of Python.
set -euo pipefail
origin=$(cut -d/ -f1-3 <<<"$1")

post() { curl --silent --show-error -X POST -H 'content-type: application/json' "${@:3}" --data "$2" "$SERVICE/window/v1/checks$1"; }
member() { python3 -c "import json,sys; print(eval('json.load(sys.stdin)' + sys.argv[1]))" "$1"; }
reject() {
  if [[ $1 == *CHECK_REFUSED* || $1 == *INVALID_EVIDENCE* ]]; then echo '{"ended": "rejected"}'; exit; fi
  [[ $1 == *'"success":true'* ]] || { echo "error: $1" >&2; exit 1; }
}

# Prints a batch: number, role, x and y as fractions of the stage, begin in ms, token.
batch() {
  python3 - "$@" <<'PYTHON'
import json, os, sys
number, role, x, y, began, token = sys.argv[1:]
number, x, y, began = int(number), float(x), float(y), int(began)
left, top = 16 + x * 216, 96 + y * 204
rows = [[0, 160, 500, -100, 500, -100, 500, -100, 0, 0, 0, 3, 0, 1, 0, 20, []] for _ in range(20)]
rows[0][1:4] = [began * 10, round(left * 100) - 3000, round(top * 100) + 4700]
press = [[1, 160, 0, 0, 0, 0, 0, 0, 1, 500, 0, 3, number, 0, 0, 20, []], [2, 800, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, number, 0, 0, 20, []], [6, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, number, 0, 0, 20, []]]
box = lambda role, x, y, w, h: {"role": role, "t": began * 10 - 500, "x": round(x * 100), "y": round(y * 100), "w": w * 100, "h": h * 100}
ctx = {"contextId": os.environ["CONTEXT"], "address": os.environ["ADDRESS"], "batch": number, "clientVersion": "1"}
probe = {"globals": [], "documentKeys": [], "debugger": {"prepare": 0, "name": 1}, "stacks": []}
print(json.dumps({
    "v": 1, "ctx": {**ctx, **({"answer": token} if token else {})},
    "clock": {"timeOrigin": 1.8e12, "load": 2000, "submit": began * 10 + 5000}, "env": {"atSubmit": probe},
    "pointer": rows + press, "layout": [box("stage", 16, 96, 348, 260), box(role, left, top, 132, 56)],
}))
PYTHON
}

opened=$(post '' "{\"context\":\"$CONTEXT\",\"address\":\"$ADDRESS\",\"origin\":\"$origin\",\"originSite\":\"$origin/\"}")
reject "$opened"
work=$(python3 -c '
import hashlib, itertools, json, sys
work = json.load(sys.stdin)["data"]["work"]
digest = lambda n: hashlib.sha256((work["salt"] + ":" + str(n)).encode()).digest()
print(next(n for n in itertools.count() if int.from_bytes(digest(n)[:4], "big") >> (32 - work["bits"]) == 0))' <<<"$opened")
check=$(member "['data']['check']" <<<"$opened")
proof=(-H "x-voight-challenge: $(member "['data']['challenge']" <<<"$opened")" -H "x-voight-work: $work")
seed=$(member "['data']['layoutSeed']" <<<"$opened")
place() { python3 -c "print($((16#$1)) / 65535)"; }
sleep 0.7
answer=$(post "/$check/evidence" "$(batch 1 first "$(place "${seed:0:4}")" "$(place "${seed:4:4}")" 500 '')" "${proof[@]}")
reject "$answer"
token=$(member "['data']['step']['token']" <<<"$answer")
x=$(member "['data']['step']['x']" <<<"$answer")
y=$(member "['data']['step']['y']" <<<"$answer")
sleep 0.7
answer=$(post "/$check/evidence" "$(batch 2 second "$x" "$y" 1100 "$token")" "${proof[@]}")
reject "$answer"
answer=$(post "/$check/complete" '' "${proof[@]}")
reject "$answer"
echo '{"ended": "completed"}'
