import { expect, test } from 'vitest'
import { readAnswer, withoutQuote } from './read-answer.ts'

const mail = (headers: string[], body: string) =>
  Buffer.from(
    ['From: Ada <ada@example.org>', 'To: help@tv.example', 'Message-ID: <a1@example.org>', ...headers, '', body].join(
      '\r\n',
    ),
  )

test.each([
  [
    'Thanks, it works.\n\nOn Tue, Nov 25, 2026 at 9:00 AM SauceTV <help@tv.example> wrote:\n> Hello',
    'Thanks, it works.',
  ],
  ['No\n\nOn Tue, Nov 25, 2026 at 9:00 AM SauceTV\n<help@tv.example> wrote:\n> Hello', 'No'],
  ['Yes\n-----Original Message-----\nFrom: SauceTV', 'Yes'],
  ['Two lines\nof text', 'Two lines\nof text'],
  ['> only a quote', ''],
  ['Hi\n> Which TV?\n\n> Which app?', 'Hi'],
  ['Hi\n> Which TV?\nThe one upstairs\n> Which app?\nYours', 'Hi\n> Which TV?\nThe one upstairs\n> Which app?\nYours'],
  ['Hi\nOn Tue SauceTV wrote:\n> Which TV?\n\nUpstairs', 'Hi\nOn Tue SauceTV wrote:\n> Which TV?\n\nUpstairs'],
])('the quote in %j is removed unless it contains answers', (text, expected) => {
  expect(withoutQuote(text)).toBe(expected)
})

test('a reply has its text, its sender and a key that is the same for every copy', async () => {
  const first = await readAnswer(mail(['Subject: Re: x'], 'It works\u0007 again.\r\n\r\n> Hello'))
  expect(first).toMatchObject({ from: 'ada@example.org', body: 'It works again.', isAutomatic: false, refused: [] })
  expect((await readAnswer(mail(['Subject: other'], 'Another copy'))).sourceKey).toBe(first.sourceKey)
})

test.each([['Auto-Submitted: auto-replied'], ['Precedence: bulk'], ['X-Autoreply: yes']])(
  'an email with %s is automatic',
  async (header) => {
    expect((await readAnswer(mail([header], 'I am on holiday.'))).isAutomatic).toBe(true)
    expect((await readAnswer(mail(['Auto-Submitted: no'], 'Hello'))).isAutomatic).toBe(false)
  },
)

test.each([
  ['setup.exe', 'setup.exe'],
  [`${'x'.repeat(99)}\u{1f600}.jpg`, `${'x'.repeat(99)}\u{1f600}`],
])('the attachment %s is reported as not accepted', async (filename, shown) => {
  const body = [
    '--b',
    'Content-Type: text/plain',
    '',
    'See the file.',
    '--b',
    'Content-Type: application/octet-stream',
    `Content-Disposition: attachment; filename="${filename}"`,
    '',
    'MZ',
    '--b--',
  ].join('\r\n')
  const { body: text, refused } = await readAnswer(mail(['Content-Type: multipart/mixed; boundary="b"'], body))
  expect([text, refused]).toEqual(['See the file.', [`${shown} was not accepted: please describe it in your answer`]])
})
