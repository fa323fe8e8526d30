import { createApp } from 'vue';
import Quest from './Quest.vue';

const quest = await (await fetch('/quest')).json();
createApp(Quest, quest).mount('#root');
