/** The shells that a script is there for. */
export const shells = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof shells)[number];

/**
What each shell has to be told; each asks `delegate-tui complete WORD…`, so that nothing of the commands stands here.

A line of an answer is a word, a tab and what the word means. Without an answer the shell offers files.
*/
export const completionScripts: Readonly<Record<Shell, string>> = {
	// Bash takes a colon for the end of a word, and conflicts are answered with "choose-one:AGT-001": words are cut at
	// spaces here, and what stands before the last colon is taken off the answers again.
	bash: `# delegate-tui in bash: eval "$(delegate-tui completion bash)" in ~/.bashrc
_delegate_tui() {
	local line=\${COMP_LINE:0:COMP_POINT} parts part words=() last value meaning
	read -ra parts <<<"$line"
	[[ $line == *' ' ]] && parts+=('')
	for part in "\${parts[@]}"; do
		if [[ \${#words[@]} -gt 0 && $last == *\\\\ ]]; then
			words[\${#words[@]}-1]="\${last%\\\\} $part"
		else
			words+=("$part")
		fi
		last=\${words[\${#words[@]}-1]}
	done
	COMPREPLY=()
	while IFS=$'\\t' read -r value meaning; do
		printf -v value '%q' "$value"
		[[ $last == *:* && $COMP_WORDBREAKS == *:* ]] && value=\${value#"\${last%:*}:"}
		COMPREPLY+=("$value")
	done < <(delegate-tui complete -- "\${words[@]:1}" 2>/dev/null)
}
complete -o default -F _delegate_tui delegate-tui`,
	zsh: `#compdef delegate-tui
# delegate-tui in zsh: eval "$(delegate-tui completion zsh)" in ~/.zshrc, after compinit
_delegate_tui() {
	local -a values lines
	local value meaning
	while IFS=$'\\t' read -r value meaning; do
		values+=("$value")
		lines+=("$value  $meaning")
	done < <(delegate-tui complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)
	(( \${#values} )) && compadd -l -d lines -a values || _files
}
compdef _delegate_tui delegate-tui`,
	fish: `# delegate-tui in fish: delegate-tui completion fish | source, in ~/.config/fish/config.fish
function __delegate_tui
	set -l last (commandline -ct)
	set -l words (commandline -opc) (string unescape -- $last; or string trim -lc '"\\'' -- $last)
	set -l answers (delegate-tui complete -- $words[2..] 2>/dev/null)
	if test (count $answers) -gt 0
		printf '%s\\n' $answers
	else
		__fish_complete_path (commandline -ct)
	end
end
complete -c delegate-tui -f -a '(__delegate_tui)'`,
};
