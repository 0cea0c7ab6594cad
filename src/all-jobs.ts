import { jobs as accountJobs } from '#features/accounts/server/jobs.ts'
import { jobs as announcementJobs } from '#features/announcements/server/jobs.ts'
import { jobs as billingJobs } from '#features/billing/server/jobs.ts'
import { jobs as deviceJobs } from '#features/devices/server/jobs.ts'
import { jobs as guideJobs } from '#features/guide/server/jobs.ts'
import { jobs as programMarkJobs } from '#features/guide/server/marks/jobs.ts'
import { jobs as imageJobs } from '#features/images/server/jobs.ts'
import { jobs as importJobs } from '#features/imports/server/jobs.ts'
import { jobs as incidentJobs } from '#features/incidents/server/jobs.ts'
import { jobs as insightJobs } from '#features/insight/server/jobs.ts'
import { jobs as passkeyJobs } from '#features/passkeys/server/jobs.ts'
import { jobs as paymentJobs } from '#features/payments/server/jobs.ts'
import { jobs as lineJobs } from '#features/provisioning/server/jobs.ts'
import { jobs as receiptJobs } from '#features/receipts/server/jobs.ts'
import { jobs as reportJobs } from '#features/reports/server/jobs.ts'
import { jobs as selfCheckJobs } from '#features/self-check/server/jobs.ts'
import { jobs as sessionJobs } from '#features/sessions/server/jobs.ts'
import { jobs as subscriptionJobs } from '#features/subscriptions/server/jobs.ts'
import { jobs as ticketJobs } from '#features/tickets/server/jobs.ts'
import { jobs as trialJobs } from '#features/trials/server/jobs.ts'
import { jobs as watchJobs } from '#features/watch/server/jobs.ts'
import type { Db } from '#server/db/connect.ts'
import type { Job } from '#server/jobs/jobs.ts'

/** The scheduled jobs of all features. */
export const allJobs = (db: Db): Job[] =>
  [
    accountJobs,
    sessionJobs,
    passkeyJobs,
    billingJobs,
    paymentJobs,
    receiptJobs,
    subscriptionJobs,
    reportJobs,
    incidentJobs,
    announcementJobs,
    ticketJobs,
    trialJobs,
    lineJobs,
    imageJobs,
    guideJobs,
    insightJobs,
    programMarkJobs,
    watchJobs,
    deviceJobs,
    selfCheckJobs,
    importJobs,
  ].flatMap((jobs) => jobs(db))
