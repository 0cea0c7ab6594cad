import { test as base } from '../test/harness/browser.ts'
import { type Sink, startSink } from '../test/harness/smtp-sink.ts'

/** A browser test of an app that sends its mails, as `mailFrom`, to an SMTP server of the test. */
export const test = base.extend<object, { mailFrom: string; sink: Sink }>({
  mailFrom: ['desk@sauce.example', { option: true, scope: 'worker' }],
  sink: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs
    async ({}, use) => {
      const sink = await startSink()
      await use(sink)
      await sink.close()
    },
    { scope: 'worker' },
  ],
  environment: [({ sink, mailFrom }, use) => use({ SMTP_URL: sink.url, MAIL_FROM: mailFrom }), { scope: 'worker' }],
})
