/** Values of the browser as a worker or a nested frame reads them: a patch of the page's own objects rarely changes them there. */

/** @param {any} canvas @returns {{webglVendor: string, webglRenderer: string} | {}} */
function graphics(canvas) {
  const gl = canvas?.getContext('webgl');
  const names = gl?.getExtension('WEBGL_debug_renderer_info');
  if (!gl) return {};
  const found = {
    webglVendor: String(gl.getParameter(names ? names.UNMASKED_VENDOR_WEBGL : gl.VENDOR)).slice(0, 512),
    webglRenderer: String(gl.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : gl.RENDERER)).slice(0, 512),
  };
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return found;
}

/** Returns vendor and renderer of WebGL; nothing if the browser refuses.
 * @param {any} scope a window or a worker */
export function drawn(scope) {
  const canvas = () => scope.document?.createElement('canvas') ?? (scope.OffscreenCanvas && new scope.OffscreenCanvas(1, 1));
  try {
    return graphics(canvas());
  } catch {
    return {};
  }
}

/** Reads the values. @param {any} scope a window or a worker */
export function copy(scope) {
  const { navigator, Intl } = scope;
  return {
    ua: navigator.userAgent,
    platform: navigator.platform,
    languages: [...(navigator.languages ?? [])].slice(0, 16),
    timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    hardwareConcurrency: navigator.hardwareConcurrency,
    ...('webdriver' in navigator && { webdriver: navigator.webdriver === true }),
    ...drawn(scope),
  };
}
