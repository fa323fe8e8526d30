/** Properties of the JavaScript engine, which do not depend on the user agent string. */

const FEATURES = [
  'chrome', 'InstallTrigger', 'safari', 'ApplePaySession', 'mozInnerScreenX', 'webkitSpeechRecognition', 'SharedWorker',
  'EyeDropper', 'PaymentRequest', 'USB', 'HID', 'Serial', 'XRSystem', 'TouchEvent', 'ondeviceorientation', 'Notification',
  'PushManager', 'showOpenFilePicker', 'queryLocalFonts', 'documentPictureInPicture', 'BarcodeDetector',
  'ContactsManager', 'onorientationchange', 'NavigatorUAData', 'GPU', 'webkitConvertPointFromNodeToPage',
  'CSSMozDocumentRule', 'structuredClone', 'MediaSession', 'cookieStore', 'onpointerrawupdate', 'ScrollTimeline',
];

/** @param {string} stack @returns {'v8' | 'spidermonkey' | 'jsc' | 'other'} */
function shape(stack) {
  if (/^Error.*\n {4}at /.test(stack)) return 'v8';
  if (/@.*:\d+:\d+\n/.test(stack + '\n')) return 'InternalError' in globalThis ? 'spidermonkey' : 'jsc';
  return 'other';
}

function nullError() {
  try {
    return String(/** @type {any} */ (null).x);
  } catch (cause) {
    return String(/** @type {Error} */ (cause).message).slice(0, 512);
  }
}

export const engine = () => ({
  errorShape: shape(String(new Error('x').stack)),
  nullError: nullError(),
  evalLength: String(globalThis.eval).length,
  features: FEATURES.filter((name) => name in globalThis),
});
