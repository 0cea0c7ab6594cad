import type { LegalDocument } from '../contract.ts'

/**
 * The standard legal texts. `{brand}`, `{email}` and `{days}` are replaced when a text is read. `## ` starts a heading,
 * `- ` a list item, a blank line a new paragraph. Operators replace these texts with their own.
 */
export const legalDefaults: Record<LegalDocument, string> = {
  terms: `These terms apply between you and {brand} when you use this site or buy a subscription.

## What you buy
A subscription gives you access to the channels, movies and shows of your plan for the period of your plan, on as many screens at once as your plan has connections. The lineup may change while your subscription runs.

## Your account
You must give correct details and keep your password to yourself. One account is for one household. Sharing or selling access is not allowed and ends the subscription.

## Payment and activation
Prices are in US dollars and include everything. Payments are verified by a person; your subscription starts when your payment has been confirmed. Nothing is charged automatically: a subscription ends on its renewal date unless you pay for another period.

## Changing and ending
You can ask for another plan at any time; the invoice is pro-rated and an administrator approves the change. You can stop whenever you like by not renewing.

## Fair use
You may watch for private purposes. Recording for others, public display and attempts to disrupt the service are not allowed.

## Availability
We do our best to keep the service running and announce planned maintenance. We cannot guarantee that every channel is available at every moment.

## Contact
Questions about these terms: {email}.`,
  privacy: `This page explains which data {brand} stores about you, why, and for how long.

## What we store
- Your account: username, email address, full name if you provided it, and an irreversible hash of your password.
- Your orders: plans, invoices, the payment details you submitted, and the dates of your subscription.
- What you send us: inquiries, reports and trial requests.
- Technical data: the address and browser of a session while it lasts. The list of current visitors is kept in memory only and deleted within minutes.

## Why
To provide what you bought, to check payments, to answer you, and to protect accounts against misuse. We do not sell data and do not use it for third-party advertising.

## How long
Account data as long as your account exists; invoices and accounting records as long as the law requires; logs for a short time.

## Your rights
You can see and correct your data in My Account, and ask us for a copy or for deletion: {email}.`,
  'refund-policy': `Every plan of {brand} comes with a {days}-day money-back guarantee.

## How it works
Open the invoice in your account within {days} days of your payment and choose Request a Refund, or write to {email} and state your order number.

## What you get back
The amount you paid, by the payment method you used. Account credit that you used is returned as account credit. Your subscription ends when the refund is made.

## What is not covered
A second refund for the same person, and accounts that broke the terms of service.`,
  cookies: `{brand} uses as few cookies as possible.

## Necessary
One cookie holds your session while you are logged in. Without it you could not log in. It is deleted when you log out.

## In your browser only
Your choice of a light or dark page and the columns you hid in a table are stored in your browser and never sent to us.

## Live chat
If this site offers a live chat, the chat provider sets its own cookies, but only after you start the chat.

## No tracking
There are no advertising or analytics cookies. Questions: {email}.`,
  dmca: `{brand} respects the rights of others and expects the same of its customers.

## Reporting an infringement
If you believe that something shown here infringes your copyright, write to {email} with:

- the work that you say is infringed,
- where on this service you found it,
- your name, address, telephone number and email address,
- a statement that you believe in good faith that the use is not allowed,
- a statement, under penalty of perjury, that the information is accurate and that you are the owner or act for the owner,
- your signature, physical or electronic.

## What happens then
We review every complete notice without delay, remove infringing material and inform the affected party, who may send a counter-notice. Accounts that infringe repeatedly are closed.`,
}
