"""Completions for bash, zsh and fish from the --help of the commands.

Each file completes one command: its options, their values that have a name, files and folders.
"""

from __future__ import annotations

import re
import shlex

from command_help import CommandHelp, Option, Value


def completions(command: CommandHelp) -> dict[str, str]:
    """Returns the files for a command, by the path below share/ where the shells look for them."""
    name = command.words[0]
    note = f"# Written by scripts/make_reference.py from {name} --help.\n"
    return {
        f"bash-completion/completions/{name}": note + bash(command),
        f"zsh/site-functions/_{name}": f"#compdef {name}\n{note}" + zsh(command),
        f"fish/vendor_completions.d/{name}.fish": note + fish(command),
    }


def function_name(words: list[str]) -> str:
    return "_" + re.sub(r"\W", "_", "_".join(words))


def names_of(option: Option) -> str:
    return " ".join(value.name for value in option.values)


# --- bash -----------------------------------------------------------------------------------------

BASH = r"""{function}() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} option=${{COMP_WORDS[COMP_CWORD - 1]}}
  local names='' files='' prefix=''
  COMPREPLY=()
  # Readline treats the = of --option=value as a word.
  if [[ $current == '=' ]]; then
    current=''
  elif [[ $option == '=' ]]; then
    option=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
{cases}  # Of values with commas between them, the last one is completed.
  if [[ $prefix == list ]]; then
    prefix=${{current%"${{current##*,}}"}}
  fi
  if [[ -n $files ]]; then
    mapfile -t COMPREPLY < <(compgen -A "$files" -- "$current")
    compopt -o filenames 2>/dev/null
  fi
  mapfile -t -O ${{#COMPREPLY[@]}} COMPREPLY < <(compgen -P "$prefix" -W "$names" -- "${{current##*,}}")
}}
complete -F {function} {name}
"""


def bash(command: CommandHelp) -> str:
    parts = []
    for subcommand in command.subcommands:
        parts.append(f"    {subcommand.words[-1]})\n{bash_options(subcommand, '      ')}      ;;\n")
    if parts:
        own = f"    *)\n{bash_options(command, '      ')}      ;;\n"
        cases = "  case ${COMP_WORDS[1]} in\n" + "".join(parts) + own + "  esac\n"
    else:
        cases = bash_options(command, "  ")
    return BASH.format(function=function_name(command.words), name=command.words[0], cases=cases)


def bash_options(command: CommandHelp, indent: str) -> str:
    """Returns statements that set names, files and prefix after an option, or for an argument."""
    lines = ["case $option in"]
    for option in command.options:
        if not option.type:
            continue
        actions = [f"names='{names_of(option)}'"] if option.values else []
        if option.takes_file or option.takes_folder:
            actions.append("files=file" if option.takes_file else "files=directory")
        if option.is_list:
            actions.append("prefix=list")
        lines.append(f"  {' | '.join(option.names)}) {' '.join(actions) or 'return'} ;;")
    names = " ".join(name for option in command.options for name in option.names)
    lines += ["  *)", "    if [[ $current == -?* ]]; then", f"      names='{names}'"]
    words = " ".join(each.words[-1] for each in command.subcommands)
    if words:
        lines += ["    elif ((COMP_CWORD == 1)); then", f"      names='{words}'"]
    if command.arguments:
        lines += ["    else", "      files=file"]
    lines += ["    fi", "    ;;", "esac"]
    return "".join(f"{indent}{line}\n" for line in lines)


# --- zsh ------------------------------------------------------------------------------------------


def zsh(command: CommandHelp) -> str:
    functions = "".join(zsh_function(each) for each in [*command.subcommands, command])
    return f'{functions}\n{function_name(command.words)} "$@"\n'


def zsh_function(command: CommandHelp) -> str:
    lines = [f"{function_name(command.words)}() {{"]
    for subcommand in command.subcommands:
        name = subcommand.words[-1]
        lines += [
            f"  if [[ $words[2] == {name} ]] && ((CURRENT > 2)); then",
            "    shift words",
            "    ((CURRENT--))",
            f"    {function_name(subcommand.words)}",
            "    return",
            "  fi",
        ]
    specs = [zsh_option(option) for option in command.options]
    if command.subcommands:
        rows = " ".join(
            f"{each.words[-1]}\\:{zsh_word(each.description.split(',')[0])}" for each in command.subcommands
        )
        specs.append(shlex.quote(f"1:subcommand:(({rows}))"))
    if command.arguments:
        specs.append("'*:file:_files'")
    return "\n".join(lines) + "\n  _arguments -s \\\n    " + " \\\n    ".join(specs) + "\n}\n"


def zsh_word(text: str) -> str:
    """Escapes what has a meaning in the specifications of _arguments."""
    return re.sub(r"([\s:;,()\[\]{}<>|\\'\"`$&*?#~^=])", r"\\\1", text)


def zsh_option(option: Option) -> str:
    """Returns the specification of an option for _arguments."""
    rest = "[" + re.sub(r"([\[\]\\:])", r"\\\1", option.summary) + "]"
    names = option.names
    if option.type:
        rest += f":{names[-1].lstrip('-')}:{zsh_action(option)}"
        names = [name + ("=" if name.startswith("--") else "+") for name in names]
    if len(names) == 1:
        return shlex.quote(names[0] + rest)
    return f"'({' '.join(option.names)})'{{{','.join(names)}}}{shlex.quote(rest)}"


def zsh_action(option: Option) -> str:
    """Returns what completes the value of an option."""
    files = "_files" if option.takes_file else "_files -/" if option.takes_folder else ""
    if not option.values:
        return files or " "
    if not files and not option.is_list:
        return f"({names_of(option)})"
    what = f"({names_of(option)})"
    if option.is_list:
        what = f"_sequence compadd - {names_of(option)}"
    alternatives = [f"names:name:{what}"] + ([f"files:file:{files}"] if files else [])
    quoted = " ".join(f'"{alternative}"' for alternative in alternatives)
    # A colon would end the action.
    return "{_alternative " + quoted.replace(":", "\\:") + "}"


# --- fish -----------------------------------------------------------------------------------------


def fish(command: CommandHelp) -> str:
    name = command.words[0]
    words = [each.words[-1] for each in command.subcommands]
    lines = []
    own = []
    if words:
        own = ["-n", fish_quoted(f"not __fish_seen_subcommand_from {' '.join(words)}")]
    if not command.arguments:
        lines.append(" ".join(["complete -c", name, *own, "-f"]))
    for each in command.subcommands:
        lines.append(" ".join(["complete -c", name, *own, "-a", each.words[-1], "-d", fish_quoted(each.description)]))
    lines += [" ".join(["complete -c", name, *own, *fish_option(option)]) for option in command.options]
    for each in command.subcommands:
        condition = ["-n", fish_quoted(f"__fish_seen_subcommand_from {each.words[-1]}")]
        if not each.arguments:
            lines.append(" ".join(["complete -c", name, *condition, "-f"]))
        lines += [" ".join(["complete -c", name, *condition, *fish_option(option)]) for option in each.options]
    return "\n".join(lines) + "\n"


def fish_quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish_value(value: Value) -> str:
    """Returns a name and its meaning as an argument of the list that fish evaluates."""
    return value.name + (f"\\t{fish_quoted(value.meaning)}" if value.meaning else "")


def fish_option(option: Option) -> list[str]:
    """Returns the arguments of fish's complete for an option."""
    words = [f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names]
    if option.type:
        words.append("-r -F" if option.takes_file else "-x")
    if option.takes_folder:
        words.append("-a '(__fish_complete_directories)'")
    elif option.is_list:
        words.append(f"-a '(__fish_append , {names_of(option)})'")
    elif option.values:
        words.append(f"-a {fish_quoted(' '.join(map(fish_value, option.values)))}")
    return [*words, "-d", fish_quoted(option.summary)]
