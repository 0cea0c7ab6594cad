import * as z from 'zod/mini'
import { get, post, put } from '#kit/endpoint.ts'
import { cents, emailAddress, id, instant, singleLine } from '#kit/text.ts'
import { brokenLinkMessage, missingPasswordMessage, passwordMessage, usernameMessage } from './rules.ts'

export const role = z.enum(['user', 'admin'])
export const subscriptionStatus = z.enum(['active', 'pending', 'expired', 'cancelled', 'none'])

/** The role of a staff member who is not an owner. A built-in role has a key. */
const staffRole = z.object({ key: z.nullable(z.string()), name: z.string(), permissions: z.array(z.string()) })

/** A user as shown to that user and to administrators, without secrets. */
export const user = z.object({
  id,
  username: z.string(),
  email: z.string(),
  fullName: z.nullable(z.string()),
  role,
  staff: z.nullable(staffRole),
  planId: z.nullable(id),
  createdAt: instant,
  subscriptionStatus,
  subscriptionStartDate: z.nullable(instant),
  subscriptionEndDate: z.nullable(instant),
  iptvUsername: z.nullable(z.string()),
  iptvSynced: z.boolean(),
  iptvSyncedAt: z.nullable(instant),
  iptvMaxConnections: z.nullable(z.int()),
  referralCode: z.string(),
  accountCredit: cents,
  mustChangePassword: z.boolean(),
  /** When the view of an administrator who is viewing the site as this customer ends. */
  viewedUntil: z.optional(instant),
})
export type User = z.output<typeof user>

const username = z
  .string(usernameMessage)
  .check(
    z.minLength(3, usernameMessage),
    z.maxLength(32, 'Username must be at most 32 characters'),
    z.regex(/^[A-Za-z0-9_.-]+$/, 'Username may only contain letters, digits, dots, dashes and underscores'),
  )
/** A new password. */
export const password = z
  .string(passwordMessage)
  .check(z.minLength(6, passwordMessage), z.maxLength(128, 'Password must be at most 128 characters'))

/** `username` may be a username or an email address. */
export const credentials = z.object({ username: singleLine(3, 254, usernameMessage), password })
const blankIsAbsent = <T extends z.core.$ZodType>(schema: T) => z.optional(z.union([z.literal(''), schema]))
export const registration = z.object({
  username,
  email: emailAddress('Please enter a valid email address'),
  password,
  fullName: blankIsAbsent(singleLine(2, 100, 'Full name must be at least 2 characters')),
  referralCode: blankIsAbsent(singleLine(6, 32, 'Referral code must be at least 6 characters')),
})
/** The form's own schema: `confirmPassword` is compared in the browser and never sent. */
export const registrationForm = z.extend(registration, { confirmPassword: password }).check(
  z.refine((form) => form.password === form.confirmPassword, {
    path: ['confirmPassword'],
    message: "Passwords don't match",
  }),
)

// Only compared with the stored hash, so the rules for new passwords do not apply.
const currentPassword = z
  .string(missingPasswordMessage)
  .check(z.minLength(1, missingPasswordMessage), z.maxLength(128, missingPasswordMessage))
/** Required where two-step verification is on. */
export const secondFactorCode = z.optional(z.string().check(z.maxLength(64)))
/** An empty full name removes it. A new email address also requires `code` if two-step verification is on. */
export const profileChange = z.object({
  fullName: z.union([z.literal(''), singleLine(2, 100, 'Full name must be at least 2 characters')]),
  email: emailAddress('Please enter a valid email address'),
  currentPassword,
  code: secondFactorCode,
})
/** With `removePasskeys`, all passkeys are removed, so that only the new password can log in. */
export const passwordChange = z.object({
  currentPassword,
  newPassword: password,
  removePasskeys: z.optional(z.boolean()),
  /** Whether to keep paired TVs and TV apps, which are removed otherwise. */
  keepDevices: z.optional(z.boolean()),
})
/** The form's own schema: `confirmPassword` is compared in the browser and never sent. */
export const passwordForm = z.extend(passwordChange, { confirmPassword: password }).check(
  z.refine((form) => form.newPassword === form.confirmPassword, {
    path: ['confirmPassword'],
    message: "Passwords don't match",
  }),
)

// Any text is accepted and looked up, so that an invalid token gets the same response as a used one.
const mailedToken = z
  .string(brokenLinkMessage)
  .check(z.minLength(1, brokenLinkMessage), z.maxLength(200, brokenLinkMessage))
export const forgottenPassword = z.object({ email: emailAddress('Please enter a valid email address') })
export const newPassword = z.object({ token: mailedToken, newPassword: password })
/** The form's own schema: the token comes from the URL, and `confirmPassword` is compared in the browser and never sent. */
export const newPasswordForm = z.object({ newPassword: password, confirmPassword: password }).check(
  z.refine((form) => form.newPassword === form.confirmPassword, {
    path: ['confirmPassword'],
    message: "Passwords don't match",
  }),
)
const messageOutput = z.object({ message: z.string() })

export const registrationResult = z.object({ user, referralApplied: z.boolean() })

export const currentUser = get('/api/user', {
  summary: 'The current user',
  access: 'member',
  dependsOn: ['user', 'subscription', 'credit', 'invoice', 'iptv_account'],
  nullWhenSignedOut: true,
  openBeforePasswordChange: true,
  output: user,
})
/** The response to a correct password if two-step verification is on: the token and a code together open a session. */
export const secondStep = z.object({ secondStep: z.object({ token: z.string(), expiresInSeconds: z.int() }) })
export const login = post('/api/login', {
  summary: 'Log in',
  access: 'public',
  limit: 'login',
  body: credentials,
  output: z.union([user, secondStep]),
})
export const register = post('/api/register', {
  summary: 'Create an account',
  access: 'public',
  limit: 'register',
  body: registration,
  output: registrationResult,
})
export const logout = post('/api/logout', {
  summary: 'Log out',
  access: 'public',
  openWhileViewing: true,
  output: messageOutput,
})
export const updateProfile = put('/api/account/profile', {
  summary: 'Change full name and email address',
  access: 'member',
  limit: 'account',
  body: profileChange,
  output: user,
})
export const updatePassword = put('/api/account/password', {
  summary: 'Change the password; other sessions end',
  access: 'member',
  endsSessions: true,
  openBeforePasswordChange: true,
  limit: 'account',
  body: passwordChange,
  output: user,
})

export const createPasswordReset = post('/api/forgot-password', {
  summary: 'Request a password reset link; the response is the same for every address',
  access: 'public',
  limit: 'recovery',
  body: forgottenPassword,
  output: messageOutput,
})
export const confirmPasswordReset = post('/api/reset-password', {
  summary: 'Set a new password with the token from an emailed link; all sessions and passkeys end',
  access: 'public',
  limit: 'recovery',
  body: newPassword,
  output: messageOutput,
})

export const getEmailVerification = get('/api/account/email-verification', {
  summary: "Whether the user's address is confirmed, and whether the operator requires it",
  access: 'member',
  dependsOn: ['user'],
  output: z.object({ mode: z.enum(['off', 'optional', 'required']), email: z.string(), verified: z.boolean() }),
})
export const createEmailVerification = post('/api/account/email-verification', {
  summary: 'Email a new link to confirm the email address',
  access: 'member',
  limit: 'account',
  output: messageOutput,
})
export const confirmEmail = post('/api/verify-email', {
  summary: 'Confirm an email address with the token from an emailed link',
  access: 'public',
  limit: 'recovery',
  body: z.object({ token: mailedToken }),
  output: messageOutput,
})
