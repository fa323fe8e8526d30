# Moves the pointer of the screen and clicks, as PyAutoGUI does it.
import sys

import pyautogui

pyautogui.moveTo(int(sys.argv[1]), int(sys.argv[2]), duration=0.5, tween=pyautogui.easeOutQuad)
pyautogui.click()
