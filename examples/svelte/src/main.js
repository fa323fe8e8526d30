import { mount } from 'svelte';
import Quest from './Quest.svelte';

const quest = await (await fetch('/quest')).json();
mount(Quest, { target: document.getElementById('root'), props: quest });
