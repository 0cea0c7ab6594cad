import type { Mutant } from './mutant.ts'

const service = 'src/features/announcements/server/service'
const tests = ['src/features/announcements/announcements.test.ts']
const mutant = (control: string, file: string, text: string, instead: string): Mutant => ({
  control: `announcement: ${control}`,
  edits: [{ file, text, instead }],
  tests,
})

/** The controls of announcements. */
export const announcementControls: Mutant[] = [
  mutant(
    'consent to news',
    `${service}/audience.ts`,
    '? sql`u.news_since is not null and u.email_verified_at is not null`',
    '? sql`true`',
  ),
  mutant(
    'consent at the time of sending',
    `${service}/send-announcements.ts`,
    "then 'emailed' else 'skipped' end",
    "then 'emailed' else 'emailed' end",
  ),
  mutant(
    'the number of recipients must be the one that was shown',
    `${service}/publish-announcement.ts`,
    'if (emails && customers !== expectedCustomers)',
    'if (false)',
  ),
  mutant(
    'maximum rate of the emails',
    `${service}/send-announcements.ts`,
    '.limit(perMinute(perHour))',
    '.limit(100_000)',
  ),
  mutant(
    'a withdrawal stops the emails',
    `${service}/publish-announcement.ts`,
    ".set({ state: 'skipped' })",
    ".set({ state: 'waiting' })",
  ),
  mutant(
    'token of an unsubscribe link',
    `${service}/news.ts`,
    '.where(eq(announcementRecipients.tokenHash, hashOfToken(token)))',
    '.where(sql`token_hash is not null`)',
  ),
  mutant(
    'a page of another site cannot unsubscribe',
    'src/server/http/request-user.ts',
    'if (calledByMailPrograms && !isFromPage(headers))',
    'if (calledByMailPrograms)',
  ),
]
