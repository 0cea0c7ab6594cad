/** What an installation starts with; the operator's own values replace them key by key. */
export const defaults = {
  site: {
    brand: { name: 'SauceTV', mascot: true },
    contact: { email: 'support@saucetv.example', phone: '+1 (555) 010-0199' },
    socials: [] as { label: string; url: string }[],
    apps: { android: '', ios: '', web: '' },
    playerUrl: '',
    claims: {
      liveChannels: '10,000+',
      countries: '100+',
      worldCountries: '190+',
      totalChannels: '25,000+',
      catchUpDays: 3,
      moneyBackDays: 7,
      support: '24/7',
    },
  },
  payments: {
    cashtag: '$SauceTVDemo',
    venmoHandle: '@saucetv-demo',
    notePrefix: 'SAUCE: ',
    verificationHours: 24,
    cardHours: 1,
    billFrom: ['SauceTV', 'support@saucetv.example'],
  },
  invoices: { validDays: 7 },
  referrals: { percent: 15 },
}
