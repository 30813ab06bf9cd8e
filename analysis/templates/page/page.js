// The report's page: sorted tables, folded sections, contents, light and dark. The page can be
// read without it.
(() => {
  'use strict';
  const root = document.documentElement;
  const storageKey = 'bloomlab-theme';

  const storedTheme = () => {
    try {
      return localStorage.getItem(storageKey);
    } catch {
      return null;  // a browser that keeps nothing for files
    }
  };

  const useTheme = (theme) => {
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  };

  const changeTheme = () => {
    const dark = matchMedia('(prefers-color-scheme: dark)').matches;
    const shown = root.dataset.theme ?? (dark ? 'dark' : 'light');
    useTheme(shown === 'dark' ? 'light' : 'dark');
    try {
      localStorage.setItem(storageKey, root.dataset.theme);
    } catch {
      // it holds until the page is closed
    }
  };

  // --- tables ---------------------------------------------------------------------------------

  // Words as people order them: "m = 50 000" before "m = 1 000 000", "fp = 0.001" before 0.01.
  const parts = (text) =>
    text.replace(/(\d)\u202f(?=\d)/g, '$1').toLowerCase().split(/(\d+(?:\.\d+)?)/);

  const collator = new Intl.Collator(root.lang);

  const compareWords = (a, b) => {
    for (let i = 0; i < Math.min(a.length, b.length); ++i) {
      if (a[i] === b[i]) continue;
      const difference = i % 2 ? a[i] - b[i] : collator.compare(a[i], b[i]);
      if (difference) return difference;
    }
    return a.length - b.length;
  };

  // What an entry is sorted by; kind 0: a number, 1: words, 2: nothing, which always stands last.
  const sortKey = (cell) => {
    const text = cell.textContent.trim();
    const firstLine = cell.firstChild === null ? '' : cell.firstChild.textContent.trim();
    const number = cell.dataset.v ?? (/^\d+(\.\d+)?$/.test(firstLine) ? firstLine : null);
    if (number !== null) return {kind: 0, value: Number(number)};
    return text === '' || text === '–' ? {kind: 2} : {kind: 1, value: parts(text)};
  };

  const compareKeys = (a, b, sign) => {
    if (a.kind !== b.kind) return a.kind - b.kind;
    if (a.kind === 2 || a.value === b.value) return 0;
    return sign * (a.kind === 0 ? Math.sign(a.value - b.value) : compareWords(a.value, b.value));
  };

  const next = {none: 'ascending', ascending: 'descending', descending: 'none'};

  const sortBy = (heading) => {
    const table = heading.closest('table');
    const body = table.tBodies[0];
    const rows = [...body.rows];
    const order = next[heading.ariaSort];
    rows.forEach((row, i) => (row.dataset.row ??= i));
    for (const other of table.tHead.rows[0].cells) other.ariaSort = 'none';
    heading.ariaSort = order;
    if (order === 'none') {
      rows.sort((a, b) => a.dataset.row - b.dataset.row);
    } else {
      const sign = order === 'ascending' ? 1 : -1;
      const keys = new Map(rows.map((row) => [row, sortKey(row.cells[heading.cellIndex])]));
      rows.sort((a, b) => compareKeys(keys.get(a), keys.get(b), sign) ||
                          a.dataset.row - b.dataset.row);
    }
    body.append(...rows);
  };

  const makeSortable = (table, hint) => {
    for (const heading of table.tHead.rows[0].cells) {
      const button = document.createElement('button');
      button.type = 'button';
      button.title = hint;
      button.append(...heading.childNodes);
      heading.append(button);
      heading.ariaSort = 'none';
      button.addEventListener('click', () => sortBy(heading));
    }
  };

  // --- sections -------------------------------------------------------------------------------

  const target = (hash) => {
    const id = hash.slice(1);
    if (id === '') return null;
    const found = document.getElementById(id);
    if (found) return found;
    try {
      return document.getElementById(decodeURIComponent(id));
    } catch {
      return null;  // a lone percent sign
    }
  };

  const reveal = (hash) => {
    const element = target(hash);
    if (!element) return;
    if (element.closest('[hidden]')) searchFor('');
    for (let at = element; at; at = at.parentElement) {
      if (at instanceof HTMLDetailsElement) at.open = true;
    }
    element.scrollIntoView();
    // Tables on the way get their true height only now.
    requestAnimationFrame(() => requestAnimationFrame(() => element.scrollIntoView()));
  };

  // --- search: sections that have every word stay, in the text and in the contents ---------------

  let searchFor = () => {};  // until there is a page to be searched

  const prepareSearch = (main) => {
    const box = document.getElementById('page-search');
    const found = document.getElementById('page-found');
    const sections = [...main.querySelectorAll(':scope > [id]')];
    const links = new Map(
      [...document.querySelectorAll('nav a')].map((link) => [link.getAttribute('href'), link]));
    const folded = (text) => text.toLowerCase().replace(/[\u00a0\u202f]/g, ' ');
    let texts = null;
    searchFor = (text) => {
      if (box.value !== text) box.value = text;
      const words = folded(text).split(' ').filter((word) => word !== '');
      texts ??= sections.map((section) => folded(section.textContent));
      sections.forEach((section, i) => {
        section.hidden = !words.every((word) => texts[i].includes(word));
        const item = links.get('#' + section.id)?.closest('li');
        if (item) item.hidden = section.hidden;
      });
      for (const fold of document.querySelectorAll('nav details')) {
        fold.closest('li').hidden = !fold.querySelector('ol > li:not([hidden])');
        fold.open = words.length > 0 || fold.querySelector('[aria-current]') !== null;
      }
      const left = sections.filter((section) => !section.hidden).length;
      found.value = words.length === 0 ? '' :
                    left === 0 ? found.dataset.none : `${left} / ${sections.length}`;
    };
    box.addEventListener('input', () => searchFor(box.value));
    box.addEventListener('keydown', (event) => {
      const first = sections.find((section) => !section.hidden);
      if (event.key === 'Escape') searchFor('');
      if (event.key === 'Enter' && first && box.value !== '') reveal('#' + first.id);
    });
    document.addEventListener('keydown', (event) => {
      const writes = event.target.closest?.('input, textarea, dialog');
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || writes) return;
      event.preventDefault();
      showContents(true);
      box.focus();
    });
  };

  const setAll = (open) => {
    for (const fold of document.querySelectorAll('main details')) fold.open = open;
  };

  // --- paper: every section open, or one alone -------------------------------------------------

  const preparePrinting = (main) => {
    let opened = [];
    addEventListener('beforeprint', () => {
      const one = root.classList.contains('one');
      opened = [...main.querySelectorAll(one ? 'details.printed' : 'details.section')]
        .filter((fold) => !fold.open);
      for (const fold of opened) fold.open = true;
    });
    addEventListener('afterprint', () => {
      for (const fold of opened) fold.open = false;
      root.classList.remove('one');
      main.querySelector('.printed')?.classList.remove('printed');
    });
    for (const section of main.querySelectorAll('details.section')) {
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'print';
      button.textContent = main.dataset.print;
      button.addEventListener('click', () => {
        root.classList.add('one');
        section.classList.add('printed');
        print();
      });
      section.querySelector('.body').prepend(button);
    }
  };

  // --- a figure for the whole room: large, with the one sentence that it answers ----------------

  const firstSentence = (text) => {
    if (!('Segmenter' in Intl)) return text;
    const sentences = new Intl.Segmenter(root.lang, {granularity: 'sentence'}).segment(text);
    return sentences[Symbol.iterator]().next().value?.segment.trim() ?? '';
  };

  // One slide a figure of a section; the same figure on the front page leads to it.
  const slidesOf = (main) => [...main.querySelectorAll('details.section figure')].map((figure) => {
    const section = figure.closest('details.section');
    const picture = figure.querySelector('svg');
    return {picture, home: picture.parentElement, name: picture.ariaLabel ?? '',
            title: section.querySelector('summary h2, summary h3')?.textContent ?? '',
            answer: firstSentence(section.querySelector('.answer')?.textContent ?? '')};
  });

  const prepareTeaching = (main) => {
    const dialog = document.getElementById('page-teach');
    const part = (name) => dialog.querySelector('.teach-' + name);
    const slides = slidesOf(main);
    let shown = -1;
    // The picture itself is moved: a copy would have its ids twice.
    const putBack = () => {
      if (shown >= 0) slides[shown].home.append(slides[shown].picture);
      shown = -1;
    };
    const show = (place) => {
      if (place < 0 || place >= slides.length) return;
      putBack();
      shown = place;
      const slide = slides[place];
      part('title').textContent = slide.title;
      part('answer').textContent = slide.answer;
      part('figure').append(slide.picture);
      part('place').textContent = `${place + 1} / ${slides.length}`;
      part('back').disabled = place === 0;
      part('next').disabled = place + 1 === slides.length;
      // A button that is disabled would take the arrow keys with it.
      if (part('back').disabled || part('next').disabled) dialog.focus();
    };
    const steps = {ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1};
    dialog.addEventListener('keydown', (event) => {
      if (!(event.key in steps)) return;
      event.preventDefault();
      show(shown + steps[event.key]);
    });
    part('back').addEventListener('click', () => show(shown - 1));
    part('next').addEventListener('click', () => show(shown + 1));
    part('close').addEventListener('click', () => dialog.close());
    dialog.addEventListener('close', putBack);
    addEventListener('beforeprint', () => dialog.close());
    for (const figure of main.querySelectorAll('figure')) {
      const picture = figure.querySelector('svg');
      picture.classList.toggle('tall', picture.viewBox.baseVal.height >
                                         1.2 * picture.viewBox.baseVal.width);
      const place = slides.findIndex((slide) => slide.picture === picture ||
                                                slide.name === picture.ariaLabel);
      if (place < 0) continue;
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'teach';
      button.textContent = main.dataset.teach;
      const open = () => {
        dialog.showModal();
        show(place);
        dialog.focus();
      };
      button.addEventListener('click', open);
      picture.addEventListener('click', () => dialog.open || open());
      figure.append(button);
    }
  };

  // --- the section that is read is marked in the contents, and its chapter is open ---------------

  const markCurrent = (main) => {
    const links = new Map([...document.querySelectorAll('nav a')].map((link) => [link.hash, link]));
    const sections = [...main.querySelectorAll(':scope > [id]')];
    let chapter = null;
    const openOnly = (fold) => {
      if (fold === chapter) return;
      if (chapter) chapter.open = false;
      if (fold) fold.open = true;
      chapter = fold;
    };
    const mark = () => {
      const past = sections.filter(
        (section) => !section.hidden && section.getBoundingClientRect().top < 120);
      const current = past.length > 0 ? links.get('#' + past.at(-1).id) : null;
      for (const link of links.values()) {
        if (link !== current) link.removeAttribute('aria-current');
      }
      current?.setAttribute('aria-current', 'true');
      openOnly(current?.closest('nav details') ?? null);
    };
    addEventListener('scroll', () => requestAnimationFrame(mark), {passive: true});
    mark();
  };

  // --- contents: beside the text where there is room, above it elsewhere -------------------------

  const wide = matchMedia('(min-width: 68rem)');

  const showContents = (show) => {
    root.dataset.contents = show ? 'shown' : 'hidden';
    document.getElementById('page-contents-button').ariaExpanded = String(show);
  };

  const start = () => {
    const main = document.querySelector('main');
    for (const table of main.querySelectorAll('table')) makeSortable(table, main.dataset.sort);
    const on = (id, action) => document.getElementById('page-' + id).addEventListener('click', action);
    preparePrinting(main);
    prepareTeaching(main);
    markCurrent(main);
    prepareSearch(main);
    on('open-button', () => setAll(true));
    on('close-button', () => setAll(false));
    on('theme-button', changeTheme);
    on('contents-button', () => showContents(root.dataset.contents !== 'shown'));
    showContents(wide.matches);
    wide.addEventListener('change', () => showContents(wide.matches));
    document.addEventListener('click', (event) => {
      const link = event.target.closest('a[href^="#"]');
      if (!link) return;
      if (link.closest('nav') && !wide.matches) showContents(false);
      if (link.hash === location.hash) reveal(link.hash);
    });
    addEventListener('hashchange', () => reveal(location.hash));
    reveal(location.hash);
  };

  root.classList.add('live');
  useTheme(storedTheme());
  document.addEventListener('DOMContentLoaded', start);
})();
