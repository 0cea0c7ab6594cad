import { test as base } from '../test/harness/browser.ts'
import { type Sink, startSink } from '../test/harness/smtp-sink.ts'

/** A browser test of an app that sends its mails, from `mailFrom`, to an SMTP server of the test. */
export const test = base.extend<{ mailFrom: string; sink: Sink }>({
  mailFrom: ['desk@sauce.example', { option: true }],
  sink: async ({ installations }, use) => use(await installations.server(startSink)),
  environment: ({ sink, mailFrom }, use) => use({ SMTP_URL: sink.url, MAIL_FROM: mailFrom }),
})
