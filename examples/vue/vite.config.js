import vue from '@vitejs/plugin-vue';

const isCustomElement = (tag) => tag === 'voight-check';

export default { plugins: [vue({ template: { compilerOptions: { isCustomElement } } })] };
