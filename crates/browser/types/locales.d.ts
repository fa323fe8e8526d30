/** Texts in one language, published beside the modules from `assets/locales`. */
declare module '*/locales/en.js' {
  const texts: Record<string, string | Record<string, string>>;
  export default texts;
}
