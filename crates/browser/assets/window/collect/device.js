/** Properties that distinguish machines. They link addresses and are never evidence of a bot. */

import { hex } from '../sha256.js';

const FONTS = [
  'Arial', 'Calibri', 'Cambria', 'Consolas', 'Courier New', 'DejaVu Sans', 'Fira Sans', 'Georgia', 'Helvetica Neue',
  'Liberation Sans', 'Menlo', 'Noto Sans', 'Noto Color Emoji', 'Open Sans', 'PingFang SC', 'Roboto', 'San Francisco',
  'Segoe UI', 'Tahoma', 'Times New Roman', 'Ubuntu', 'Verdana', 'Microsoft YaHei', 'Malgun Gothic',
];
const CODECS = [
  'video/mp4; codecs="avc1.42E01E"', 'video/mp4; codecs="hvc1.1.6.L93.B0"', 'video/webm; codecs="vp9"',
  'video/mp4; codecs="av01.0.05M.08"', 'audio/mp4; codecs="mp4a.40.2"', 'audio/ogg; codecs="vorbis"',
  'audio/webm; codecs="opus"', 'audio/flac',
];

/** @param {string} text */
const short = (text) => hex(text).slice(0, 32);

function context() {
  const canvas = document.createElement('canvas');
  canvas.width = 220;
  canvas.height = 48;
  return { canvas, drawing: canvas.getContext('2d') };
}

function canvas() {
  const { canvas: made, drawing } = context();
  if (!drawing) return undefined;
  drawing.font = '17px sans-serif';
  drawing.fillStyle = '#f60';
  drawing.fillRect(90, 4, 60, 26);
  drawing.fillStyle = '#069';
  drawing.fillText('Cwm fjord bank glyphs 😃', 4, 24);
  drawing.globalCompositeOperation = 'multiply';
  drawing.fillStyle = 'rgba(102, 204, 0, 0.7)';
  drawing.arc(60, 24, 18, 0, 5);
  drawing.fill();
  return short(made.toDataURL());
}

/** @returns {string | undefined} one bit for each font, 1 if it is installed */
function fonts() {
  const { drawing } = context();
  if (!drawing) return undefined;
  const width = (/** @type {string} */ family) => {
    drawing.font = `40px ${family}`;
    return drawing.measureText('mmwwllii@0').width;
  };
  const bare = width('monospace');
  return FONTS.map((name) => (width(`"${name}", monospace`) === bare ? 0 : 1)).join('');
}

const math = () => short([Math.tan(-1e300), Math.cosh(1), Math.expm1(1), Math.sinh(1), Math.pow(Math.PI, -100)].join());

function codecs() {
  const video = document.createElement('video');
  return CODECS.map((type) => video.canPlayType(type).charAt(0) || '-').join('');
}

function webgl() {
  const gl = document.createElement('canvas').getContext('webgl');
  if (!gl) return undefined;
  const names = gl.getExtension('WEBGL_debug_renderer_info');
  const vendor = String(gl.getParameter(names ? names.UNMASKED_VENDOR_WEBGL : gl.VENDOR));
  const renderer = String(gl.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  const limits = [gl.MAX_TEXTURE_SIZE, gl.MAX_VIEWPORT_DIMS, gl.MAX_VERTEX_UNIFORM_VECTORS].map((id) => gl.getParameter(id));
  const hash = short([limits, gl.getSupportedExtensions()].join());
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return { vendor: vendor.slice(0, 128), renderer: renderer.slice(0, 128), hash };
}

async function audio() {
  const offline = new OfflineAudioContext(1, 4096, 44100);
  const oscillator = new OscillatorNode(offline, { type: 'triangle', frequency: 10000 });
  oscillator.connect(new DynamicsCompressorNode(offline, { ratio: 12, attack: 0 })).connect(offline.destination);
  oscillator.start();
  const samples = (await offline.startRendering()).getChannelData(0);
  return short(samples.slice(2048).join());
}

/** Returns a random id in this frame's own storage, which browsers partition by the embedding site. */
function localId() {
  const known = localStorage.getItem('voight-id');
  if (known) return known.slice(0, 128);
  const made = Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, '0')).join('');
  localStorage.setItem('voight-id', made);
  return made;
}

/** @param {() => any} look reads a property @returns {Promise<any>} its value; undefined if the browser refuses */
async function attempt(look) {
  try {
    return await look();
  } catch {
    return undefined;
  }
}

export async function device() {
  return {
    canvas: await attempt(canvas),
    audio: await attempt(audio),
    fonts: await attempt(fonts),
    math: math(),
    webgl: await attempt(webgl),
    codecs: await attempt(codecs),
    localId: await attempt(localId),
  };
}
