// Updates the page from the server without changing fields in which a person is typing.

const byId = id => document.getElementById(id);
const page = byId('page');

/** Lead of the server's clock over the browser's, in milliseconds. */
let ahead = 0;

/** Number of forms being sent. Their outcomes are shown before any update, which may overtake them. */
let sending = 0;
let waiting;

const take = news => {
	if (sending > 0) {
		waiting = news;
	} else if (news !== undefined) {
		waiting = undefined;
		show(news);
	}
};

const show = ({title, body, now}) => {
	ahead = Date.parse(now) - Date.now();
	document.title = title;
	const fresh = document.createElement('template');
	fresh.innerHTML = body;
	for (const part of fresh.content.querySelectorAll('[data-live]')) {
		const old = page.querySelector(`[data-live="${CSS.escape(part.dataset.live)}"]`);
		if (old !== null && old.innerHTML !== part.innerHTML) {
			old.innerHTML = part.innerHTML;
		}
	}
	for (const list of fresh.content.querySelectorAll('[data-list]')) {
		const old = page.querySelector(`[data-list="${CSS.escape(list.dataset.list)}"]`);
		if (old !== null) {
			bringUpToDate(old, list);
		}
	}
	countDown();
};

/** Keeps unchanged elements in the document, and with them the focus and all typed text. */
const bringUpToDate = (old, fresh) => {
	const wanted = [...fresh.children];
	const names = new Set(wanted.map(({id}) => id));
	for (const child of [...old.children]) {
		if (!names.has(child.id) && !keep(child)) {
			child.remove();
		}
	}
	let before = null;
	for (const child of wanted.reverse()) {
		const there = byId(child.id) ?? child;
		if (!there.isConnected || (before !== null && nextTo(there) !== before)) {
			old.insertBefore(there, before);
		}
		before = there;
	}
};

/** Returns the next element, except those that are only kept until a person dismisses them. */
const nextTo = element => {
	const next = element.nextElementSibling;
	return next?.dataset.gone === undefined ? next : nextTo(next);
};

/** Keeps a filled form that can't be sent any more, with the reason, until the person dismisses it. */
const keep = element => {
	if (element.dataset.gone !== undefined) {
		return true;
	}
	if (!isFilledIn(element)) {
		return false;
	}
	element.dataset.gone = '';
	for (const control of element.querySelectorAll('button, input')) {
		control.disabled = true;
	}
	for (const text of element.querySelectorAll('textarea')) {
		text.readOnly = true;
	}
	const why = [element, ...element.querySelectorAll('[data-item]')]
		.map(({id}) => page.querySelector(`[data-closed="${CSS.escape(id)}"]`)?.dataset.why)
		.find(text => text !== undefined);
	const note = document.createElement('p');
	note.className = 'notice';
	note.setAttribute('role', 'alert');
	note.textContent = `This can’t be sent any more. ${why ?? 'It waits no more, or has changed.'} `;
	const away = document.createElement('button');
	away.type = 'button';
	away.className = 'quiet';
	away.textContent = 'Put away';
	away.addEventListener('click', () => element.remove());
	note.append(away);
	element.append(note);
	return true;
};

const isFilledIn = element =>
	element.dataset.sent === undefined &&
	[...element.querySelectorAll('input, textarea')].some(control =>
		control.type === 'radio' || control.type === 'checkbox'
			? control.checked
			: control.type !== 'hidden' && control.value.trim() !== '',
	);

const countDown = () => {
	for (const time of page.querySelectorAll('time')) {
		const seconds = Math.round((Date.parse(time.dateTime) - Date.now() - ahead) / 1000);
		time.textContent =
			seconds > 0
				? `for ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} more`
				: 'a moment more';
	}
};

let quiet;
const say = text => {
	const said = byId('said');
	said.textContent = text;
	said.hidden = false;
	clearTimeout(quiet);
	quiet = setTimeout(() => {
		said.hidden = true;
	}, 6000);
};

/** Shows errors in each item's own field; accepted items disappear with the next update. */
const tell = (form, outcomes, isAnswer) => {
	for (const {item, ok, text} of outcomes) {
		const field = form.querySelector(`[data-item="${CSS.escape(item)}"]`);
		const told = field?.querySelector('.told');
		if (ok && isAnswer && field) {
			field.dataset.sent = '';
			if (form.querySelectorAll('[data-item]:not([data-sent])').length === 0) {
				form.dataset.sent = '';
			}
		}
		if (told) {
			told.textContent = ok ? '' : text;
			told.hidden = ok;
		}
	}
	const taken = outcomes.filter(({ok}) => ok).map(({text}) => text);
	if (outcomes.length === 0) {
		say('Nothing is filled in yet.');
	} else if (taken.length > 0) {
		say(`✓ ${taken.join(' · ')}`);
	}
	form
		.querySelector('.told:not([hidden])')
		?.closest('[data-item]')
		?.querySelector('input:not([type=hidden]), textarea')
		?.focus();
};

document.addEventListener('submit', async event => {
	event.preventDefault();
	const form = event.target;
	const body = new URLSearchParams(new FormData(form, event.submitter));
	const buttons = [...form.querySelectorAll('button')];
	for (const button of buttons) {
		button.disabled = true;
	}
	sending++;
	try {
		const response = await fetch('decide', {method: 'POST', body});
		if (!response.ok) {
			throw new Error(await response.text());
		}
		tell(form, (await response.json()).outcomes, event.submitter?.name !== 'later');
	} catch (error) {
		say(`Not sent: ${error.message}. It is still here; try again.`);
	} finally {
		for (const button of buttons) {
			button.disabled = false;
		}
		sending--;
		take(waiting);
	}
});

// A person's own answer and a picked option exclude each other, unless several are accepted.
document.addEventListener('input', ({target}) => {
	const field = target.closest('fieldset');
	if (field === null) {
		return;
	}
	if (target.matches('[name^="own:"]') && target.value !== '') {
		for (const picked of field.querySelectorAll('input[type=radio]:checked')) {
			picked.checked = false;
		}
	} else if (target.type === 'radio') {
		const own = field.querySelector('[name^="own:"]');
		if (own !== null) {
			own.value = '';
		}
	}
});

document.addEventListener('keydown', event => {
	if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
		event.target.closest('form')?.requestSubmit();
	}
});

const listen = () => {
	const news = new EventSource('live');
	news.onmessage = ({data}) => {
		byId('lost').hidden = true;
		take(JSON.parse(data));
	};
	news.onerror = () => {
		byId('lost').hidden = false;
		if (news.readyState === EventSource.CLOSED) {
			setTimeout(listen, 3000);
		}
	};
};

listen();
setInterval(countDown, 1000);
