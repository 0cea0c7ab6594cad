const verbs = {
  confirm: 'confirm',
  approve: 'approve',
  deny: 'deny',
  send: 'send',
  open: 'open',
  view: 'open',
  find: 'open',
} as const
export type Verb = (typeof verbs)[keyof typeof verbs]

// Words between a verb and the name: "send link for ORD-7F3K2G", "approve trial of dana", "confirm payment from dana".
const fillers = /^(the|link|payment|invoice|trial|request|customer|user|for|from|of|to)(\s+|$)/

/** Splits the typed text into its verb, if it begins with one, and the text to search for, in lower case. */
export function splitVerb(typed: string): { verb: Verb | undefined; term: string } {
  const text = typed.trim().toLowerCase()
  const [first = '', ...rest] = text.split(/\s+/)
  const verb = Object.hasOwn(verbs, first) ? verbs[first as keyof typeof verbs] : undefined
  if (!verb) return { verb, term: text }
  let term = rest.join(' ')
  while (fillers.test(term)) term = term.replace(fillers, '')
  return { verb, term }
}
