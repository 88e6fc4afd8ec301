/**
 * The script of the pages: the search, whose index is loaded at the first use, and one language for all samples. Without it the pages read the same,
 * and the search is not shown.
 */
export const searchScript = `const form = document.querySelector('form[role=search]');
const input = form.querySelector('input');
const list = form.querySelector('ul');
const MOST = 20;
let index;
form.hidden = false;

const ranked = (name, asked) => (name === asked ? 0 : name.startsWith(asked) ? 1 : name.includes(asked) ? 2 : 3);

async function search() {
  index ??= fetch('/docs/search.json').then((answer) => answer.json());
  const all = await index.catch(() => ((index = undefined), []));
  const asked = input.value.trim().toLowerCase();
  const found = asked === '' ? [] : all
    .map((one) => [ranked(one[0].toLowerCase(), asked), ...one])
    .filter(([rank]) => rank < 3)
    .sort((a, b) => a[0] - b[0] || a[1].length - b[1].length)
    .slice(0, MOST);
  list.replaceChildren(...found.map(([, name, where, url]) => {
    const link = document.createElement('a');
    link.href = url;
    link.append(name, Object.assign(document.createElement('small'), { textContent: where }));
    const row = document.createElement('li');
    row.append(link);
    return row;
  }));
  form.querySelector('output').textContent = asked === '' ? '' : found.length === 0 ? 'Nothing found.' : found.length + ' found';
}
input.addEventListener('input', search);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  list.querySelector('a')?.click();
});
list.addEventListener('click', () => list.replaceChildren());
form.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') list.replaceChildren();
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.closest('input:not([type=radio]), textarea') || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  input.focus();
});

document.addEventListener('change', ({ target }) => {
  const { language } = target.dataset;
  if (language) for (const other of document.querySelectorAll('input[data-language="' + language + '"]')) other.checked = true;
});
`;
