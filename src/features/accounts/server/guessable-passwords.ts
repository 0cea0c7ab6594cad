import * as settings from '#features/settings/server/service.ts'
import type { Db, Tx } from '#server/db/connect.ts'

type PasswordOwner = { username: string; email: string }

/** Words of this product and industry, which attackers try too. */
const productWords = [
  'sauce',
  'saucetv',
  'iptv',
  'iptvpass',
  'streaming',
  'television',
  'testpass',
  'welcome',
  'changeme',
  'rockyou',
]
const lookalikes: Record<string, string> = { '@': 'a', '4': 'a', '3': 'e', '1': 'i', '0': 'o', $: 's', '5': 's' }

let leakedPasswords: Promise<Set<string>> | undefined
/** More than 40,000 leaked passwords of at least six characters, in lower case. Loaded at the first check. */
const loadLeakedPasswords = (): Promise<Set<string>> => {
  leakedPasswords ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'] as string[]),
  )
  return leakedPasswords
}

/** Whether an attacker who knows the username, the email address and the brand could guess the password quickly. */
export async function isGuessablePassword(
  db: Db | Tx,
  password: string,
  { username, email }: PasswordOwner,
): Promise<boolean> {
  const { brand } = await settings.read(db, 'site')
  const list = await loadLeakedPasswords()
  const typed = password.toLowerCase()
  if (list.has(typed) || isPattern(typed)) return true
  const address = email.toLowerCase()
  const context = [brand.name, brand.name.replaceAll(/\s+/g, ''), username, address, address.split('@')[0]!].map(
    (word) => word.toLowerCase(),
  )
  const words = [...productWords, ...context, ...context.map(withoutSuffix)].filter((word) => word.length >= 3)
  const spellings = [typed, withoutLookalikes(typed), withoutLookalikes(withoutSuffix(typed))]
  const isDecorated = (word: string) =>
    spellings.some((each) => each.startsWith(word) && suffixPattern.test(each.slice(word.length)))
  return words.some(isDecorated) || spellings.map(withoutSuffix).some((word) => word.length >= 4 && list.has(word))
}

/** Removes trailing digits and punctuation, such as a year, from a word. */
const withoutSuffix = (text: string): string => text.replace(/[\d!.?#*_-]{1,8}$/, '')
const suffixPattern = /^[\d!.?#*_-]{0,8}$/
/** Replaces symbols and digits that look like letters: `p@ssw0rd` becomes `password`. */
const withoutLookalikes = (text: string): string => text.replaceAll(/[@431$05]/g, (sign) => lookalikes[sign] ?? sign)

/** Whether the password repeats one to four characters, or is a run of the alphabet, of digits or of the keyboard. */
function isPattern(typed: string): boolean {
  for (let unit = 1; unit <= 4 && unit * 2 <= typed.length; unit++)
    if (
      typed
        .slice(0, unit)
        .repeat(Math.ceil(typed.length / unit))
        .slice(0, typed.length) === typed
    )
      return true
  return runs.some((run) => run.includes(typed))
}
const sequences = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'yxcvbnm',
]
const runs = sequences.flatMap((run) => [run, [...run].reverse().join('')])
