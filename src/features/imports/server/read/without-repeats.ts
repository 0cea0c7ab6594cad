import type { Row } from '#server/text-files/table.ts'
import type { RefusalReason } from '../../rules.ts'
import type { ParsedCustomer } from './read-customer.ts'

/** Wraps a reader so that it also refuses a row whose email address, username or line already appeared in an earlier valid row. */
export function withoutRepeats(read: (row: Row) => ParsedCustomer): (row: Row) => ParsedCustomer {
  const seen = { emails: new Set<string>(), usernames: new Set<string>(), lines: new Set<string>() }
  return (row) => {
    const customer = read(row)
    if (customer.reason !== null) return customer
    const [email, username] = [customer.email.toLowerCase(), customer.username.toLowerCase()]
    const reason: RefusalReason | null = seen.emails.has(email)
      ? 'email_repeated'
      : seen.usernames.has(username)
        ? 'username_repeated'
        : customer.lineUsername !== null && seen.lines.has(customer.lineUsername)
          ? 'line_repeated'
          : null
    if (reason) return { ...customer, reason }
    seen.emails.add(email)
    seen.usernames.add(username)
    if (customer.lineUsername !== null) seen.lines.add(customer.lineUsername)
    return customer
  }
}
