import { defaults } from '#features/settings/rules.ts'

const { claims } = defaults.site
const { notePrefix, verificationHours, cardHours } = defaults.payments
const { percent } = defaults.referrals

/** In the order of the page. Every answer repeats what the product does; change both together. */
export const sampleFaqs: { question: string; answer: string }[] = [
  {
    question: 'How do I start watching?',
    answer:
      'Create an account, choose a plan and pay at checkout. Once we have verified your payment, your subscription starts and we notify you by email. Then follow the setup guide for your device and sign in to the app with your IPTV username and password.',
  },
  {
    question: 'Which payment methods do you accept?',
    answer:
      'Cash App, Venmo and credit card. Cash App and Venmo payments go to the account shown at checkout; for a credit card we email you a secure payment link.',
  },
  {
    question: 'How long does it take until my subscription is active?',
    answer: `A person checks every payment, which can take up to ${verificationHours} hours. Credit card payments are typically activated within ${cardHours} hour. If the email with your payment link has not arrived after 15 minutes, please contact support.`,
  },
  {
    question: 'What do I write in the payment note?',
    answer: `Exactly the note that checkout shows you. It starts with "${notePrefix.trim()}" and tells us which invoice your payment belongs to, so please do not change it. If you forgot the note, contact support with your order number.`,
  },
  {
    question: 'How many screens can I use at the same time?',
    answer:
      'Your plan has one to five connections, and each connection is one screen. You may install the app on as many devices as you like; only the screens that play at the same time count.',
  },
  {
    question: 'Which devices are supported?',
    answer:
      'Amazon Fire TV, Android TV, Apple TV, most smart TVs, phones and tablets, Windows and Mac computers, web browsers and set-top boxes such as MAG. The devices page has the full list and the setup guide shows the steps.',
  },
  {
    question: 'How fast must my internet connection be?',
    answer:
      'We recommend 10 Mbit/s for each HD screen and 25 Mbit/s for each 4K screen. For the most stable picture, use a cable or stay close to your Wi-Fi router.',
  },
  {
    question: 'What is catch-up?',
    answer: `On select premium channels you can watch the programs of the last ${claims.catchUpDays} days whenever it suits you.`,
  },
  {
    question: 'Can I try the service before I buy?',
    answer: `Yes. Log in, request a free trial and tell us in a few words which device you use. Trials typically last ${claims.trialHours} hours. You can have one open request at a time, and none while a subscription is active.`,
  },
  {
    question: 'Can I get my money back?',
    answer: `Yes. Every plan comes with a ${claims.moneyBackDays}-day money-back guarantee. Open the invoice in your account within ${claims.moneyBackDays} days of your payment, request a refund, and we return the money by the same payment method.`,
  },
  {
    question: 'Can I change my plan later?',
    answer:
      'At any time, under My Account. We create a pro-rated invoice: you pay only the difference for the remaining days or, if the new plan has another period, its price less the unused part of the old one. If the change is in your favor, the difference becomes account credit. An administrator approves the change.',
  },
  {
    question: 'Is there a contract, and how do I cancel?',
    answer:
      'There are no long-term contracts and we never charge you automatically. A subscription simply ends on its renewal date unless you pay for another period; paying earlier extends it from that date. If you buy another plan while one is running, it begins when the current one ends. To cancel sooner, contact support.',
  },
  {
    question: 'How does the referral program work?',
    answer: `Share the code or link from your account. Your friend gets ${percent}% off the first invoice, and when that invoice has been paid and approved you earn ${percent}% of what was paid as account credit. You can spend it once the money-back guarantee of that payment has ended: it is used on your next invoice.`,
  },
  {
    question: 'Can I watch when I travel?',
    answer:
      'Yes. There are no geo-restrictions: sign in wherever you have a good internet connection. Your plan still sets how many screens can play at once.',
  },
  {
    question: 'What if a channel is not working?',
    answer: `Send a report from the Reports tab of your account and say which channel or title it is and what is wrong. You can see our response there. You can also reach our support ${claims.support}.`,
  },
]
