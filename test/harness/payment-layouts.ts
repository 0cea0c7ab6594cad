import type { MailParts } from './payment-mails.ts'

/** The values in a made-up payment notification. `amount` is in the provider's notation, without the currency. */
export type MailFields = { name: string; amount: string; note: string; id: string; handle: string }

export const mailFields = (changes: Partial<MailFields> = {}): MailFields => ({
  name: 'Ana Ruiz',
  amount: '31.49',
  note: 'SAUCE: ORD-7F3K2G',
  id: '4691000000000000101',
  handle: '@shop-tv',
  ...changes,
})

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
const rows = (pairs: [string, string][]) =>
  pairs.map(([label, value]) => `<tr><td>${label}</td><td>${escaped(value)}</td></tr>`).join('\n')
const page = (body: string, title = '') => `<html><head><title>${title}</title></head><body>${body}</body></html>`
type Layout = (fields: MailFields) => MailParts

const cashapp = { from: 'cash@square.com', domain: 'square.com' }
const cashappReceipt: Layout = ({ name, amount, note, id }) => ({
  ...cashapp,
  subject: `${name} sent you $${amount}${note ? ` for ${note}` : ''}`,
  html: page(`<table><tr><td class="profile-name">${escaped(name)}</td></tr>
    <tr><td class="profile-description">Payment from $anar</td></tr>
    ${note ? `<tr><td class="profile-description">For ${escaped(note)}</td></tr>` : ''}
    <tr><td class="amount">$${amount}</td></tr><tr><td>Received</td></tr>
    ${rows([
      ['Amount', `$${amount}`],
      ['Identifier', `#${id.slice(0, 9)}`],
      ['To', 'Shop TV'],
      ['From', name],
    ])}</table>`),
})
const cashappTransaction: Layout = ({ name, amount, note, id }) => ({
  ...cashapp,
  subject: `Payment received from ${name}`,
  html: page(`<table><tr><td>${escaped(name)} paid you $${amount}</td></tr>
    ${note ? `<tr><td class="profile-description">For ${escaped(note)}</td></tr>` : ''}
    <tr><td>This payment has completed.</td></tr><tr><td>Transaction details</td></tr>
    ${rows([
      ['Amount', `$${amount}`],
      ['Transaction number', `#${id.slice(0, 9)}`],
    ])}
    <tr><td>Payment between<br>Recipient: Shop TV<br>Sender: ${escaped(name)} ($anar)</td></tr></table>`),
})

const venmo = { from: 'venmo@venmo.com', domain: 'venmo.com' }
const venmoStory: Layout = ({ name, amount, note, id }) => ({
  ...venmo,
  subject: `${name} paid you $${amount}`,
  html: page(`<table><tr><td><!-- actor name --><a> ${escaped(name)} </a><!-- action --><span> paid </span>
    <!-- recipient name --><a> You </a><!-- note --><div><p>${escaped(note)}</p></div></td></tr>
    <tr><td><!-- amount --><span> + $${amount} </span></td></tr></table>
    <div>Payment ID: ${id}</div><div>This payment may be reversed, refunded or put on hold.</div>`),
})
const venmoCard: Layout = ({ name, amount, note, id, handle }) => ({
  ...venmo,
  subject: `${name} paid $${amount} to your Venmo account. Leave it in Venmo or transfer it.`,
  html: page(`<h1>${escaped(name)} paid you</h1><div class="amount-container"><div>$</div>
    <div>${amount.split('.')[0]}</div><span>.</span><div>${amount.split('.')[1]}</div></div>
    <p class="transaction-note">${escaped(note)}</p><h2>Money credited to your Venmo account.</h2>
    <h3>Transaction ID</h3><p>${id}</p><h3>Sent to</h3><p>${handle}</p>`),
})

const chase: Layout = ({ name, amount, note }) => ({
  from: 'no.reply.alerts@chase.com',
  domain: 'chase.com',
  subject: 'You received money with Zelle®',
  html: page(
    `<h1>${escaped(name)} sent you money</h1><p>Here are the details:</p><table>${rows([
      ['Amount', `$${amount}`],
      ['Transaction number', '30999888777'],
      ['Memo', note || 'N/A'],
    ])}</table><p>${escaped(name)} is registered with a Zelle® member bank, account ending in 4417.</p>`,
    'zelle_auto_accept_receiver',
  ),
})
const bankOfAmerica: Layout = ({ name, amount, note }) => ({
  from: 'customerservice@ealerts.bankofamerica.com',
  domain: 'ealerts.bankofamerica.com',
  subject: `${name} sent you $${amount}`,
  text: `[image: Bank of America.]\n${name} sent you $${amount}\n${note ? `${note}\n` : ''}View your balance\nAllow 5 minutes.`,
})
const td: Layout = ({ name, amount }) => ({
  from: 'alerts@tdbank.com',
  domain: 'tdbank.com',
  subject: 'You received money with Zelle®',
  text: `Send Money with Zelle\n\nWe have successfully deposited the $${amount} payment from ${name}\n(confirmation number 1234509876) into your account (TD Bank, CHECKING, ******4417).\n`,
})
const wellsFargo: Layout = ({ name, amount, note }) => ({
  from: 'alerts@notify.wellsfargo.com',
  domain: 'notify.wellsfargo.com',
  subject: 'Your account update is here',
  html: page(`<p>CHECKING ...4417</p><h2>Deposits</h2><table>
    <tr><td>ZELLE FROM ${escaped(name)} ON 11/19 REF # WFCT0ABCDEF1 ${escaped(note)}</td><td>$${amount}</td></tr>
    <tr><td>ZELLE FROM TRAN BOB ON 11/19 REF # WFCT0ABCDEF2</td><td>$5.00</td></tr></table>
    <h2>Withdrawals</h2><table><tr><td>ZELLE TO PRINT SHOP</td><td>$9.00</td></tr></table>`),
})
const paypal: Layout = ({ name, amount, note }) => ({
  from: 'service@paypal.com',
  domain: 'paypal.com',
  subject: "You've got money",
  text: `You've got money\n\nShop TV, you received $${amount}\u00a0USD\n\n${name} sent you $${amount}\u00a0USD\n\n${
    note ? `Note from ${name}:\n\n${note}\n\n` : ''
  }Transaction Details\n\nTransaction ID\n4VW57989RN961081F\n\nAmount $${amount}\u00a0USD\n\nOpen a dispute. Refunds.\n`,
})
const chime: Layout = ({ name, amount, note }) => ({
  from: 'alerts@account.chime.com',
  domain: 'account.chime.com',
  subject: `${name.split(' ', 1)[0]} just sent you money`,
  html: page(
    `<p>You received $${amount} from ${escaped(name)} through Pay Anyone${
      note ? ` for <strong>${escaped(note)}</strong>` : ''
    }.</p>`,
  ),
})
const wise: Layout = ({ name, amount, note }) => ({
  from: 'noreply@wise.com',
  domain: 'wise.com',
  subject: `You received ${amount} USD from ${name}`,
  html: page(`<dl><dt>From:</dt><dd>${escaped(name)}</dd><dt>Amount received:</dt><dd>${amount}\u00a0USD</dd>
    ${note ? `<dt>Reference:</dt><dd>${escaped(note)}</dd>` : ''}<dt>Transfer number:</dt><dd>#TR770011223</dd></dl>`),
})
const stripe: Layout = ({ name, amount }) => ({
  from: 'notifications@stripe.com',
  domain: 'stripe.com',
  subject: `Payment of $${amount} from ${name} for Shop TV`,
  html: page(`<p>You received a payment of $${amount} USD from ${escaped(name)} for Shop TV.</p>
    <p>Payment ID pi_3Ptest00000000000001</p>`),
})

/** Every layout that is known, by the name of its template. Some have no note. */
export const layouts: { template: string; layout: Layout; hasNote: boolean; reference: string | null }[] = [
  { template: 'cashapp-receipt', layout: cashappReceipt, hasNote: true, reference: '469100000' },
  { template: 'cashapp-transaction', layout: cashappTransaction, hasNote: true, reference: '469100000' },
  { template: 'venmo-story', layout: venmoStory, hasNote: true, reference: '4691000000000000101' },
  { template: 'venmo-card', layout: venmoCard, hasNote: true, reference: '4691000000000000101' },
  { template: 'zelle-chase', layout: chase, hasNote: true, reference: '30999888777' },
  { template: 'zelle-bofa', layout: bankOfAmerica, hasNote: true, reference: null },
  { template: 'zelle-td', layout: td, hasNote: false, reference: '1234509876' },
  { template: 'zelle-wellsfargo', layout: wellsFargo, hasNote: true, reference: 'WFCT0ABCDEF1' },
  { template: 'paypal-received', layout: paypal, hasNote: true, reference: '4VW57989RN961081F' },
  { template: 'chime', layout: chime, hasNote: true, reference: null },
  { template: 'wise', layout: wise, hasNote: true, reference: 'TR770011223' },
  { template: 'stripe', layout: stripe, hasNote: false, reference: 'pi_3Ptest00000000000001' },
]
