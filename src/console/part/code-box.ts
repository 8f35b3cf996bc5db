import { html, type Markup } from './html.ts';

/** YAML or a command, to be read whole and copied; the button is shown where there is a script. */
export function codeBox(text: string): Markup {
  return html`<div class="code"><pre tabindex="0"><code>${text}</code></pre><button class="btn sm" type="button">Copy</button><span class="vh" role="status"></span></div>`;
}
