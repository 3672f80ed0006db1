/** What is preserved or plainly named stays plain; work under way and failures carry a chip. The last step tells of failure, the state does not. */
export const toneOf = ({
  state,
  stepState,
}: {
  state: string
  stepState: string
}): 'plain' | 'warn' | 'bad' => {
  if (/^fail/i.test(stepState) || /^(fail|refus)/i.test(state)) return 'bad'
  return /ing$/i.test(state) || /^(started|pending)$/i.test(stepState) ? 'warn' : 'plain'
}
