/** How each figure is counted, as shown on the page. */
export const definitions = {
  revenue:
    'Received: the amounts of all invoices by their payment date, without account credit. Refunded: the credit notes by their date of issue. Net revenue is received minus refunded. A payment that was moved back is not counted. Referral bonuses are credit, not revenue.',
  subscribers:
    'Active subscribers: customers whose paid or granted time has begun and ends on a later day, counted at the end of each day.',
  bridge:
    'Monthly recurring revenue (MRR): what active subscribers paid for their current time, in cash and credit, divided by its months. New: time begins for the first time. Won back: it begins again after at least one day without a subscription. Expansion and contraction: its monthly value changes, for example by a plan change. Churn: it ends. Start plus new, expansion and won back minus contraction and churn is the end. Time between a purchase and its refund counts as sold; a refunded plan change is not counted.',
  churn:
    'Lost subscribers: their time ended and nothing followed on that day. The plan is the one that ended. Expired: it was not renewed. Ended by an administrator: the time was withdrawn. Free time: nothing was paid for it. Refunded: the purchase was refunded. The rate is lost subscribers out of those at the start plus those gained.',
  trials:
    'Customers whose first trial request is in the period. Approved: one of their requests was approved. Paid: they paid an invoice after the request, up to today.',
  renewals:
    'Subscriptions by the day on which their time ends. Renewed: the next purchase follows without a gap. Each day links to the customers who have not renewed.',
  referrals:
    'Bonuses: credit booked for referrers, minus bonuses taken back, by the day of booking. Bonuses in the guarantee period are not booked yet. Discounts: what referred customers saved on paid invoices, by payment date.',
  cohorts:
    'Customers by the month of their first payment, and the share with a subscription at the end of that month and of each later one. A month is shown once it is over.',
}
