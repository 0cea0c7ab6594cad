import * as z from 'zod/mini'
import { get, type Output, post, put } from '#kit/endpoint.ts'
import { cents, emailAddress, id, instant, line } from '#kit/text.ts'
import { missingPasswordMessage, passwordMessage, usernameMessage } from './rules.ts'

export const role = z.enum(['user', 'admin'])
export const subscriptionStatus = z.enum(['active', 'pending', 'expired', 'cancelled', 'none'])

/** A user as the user and administrators see it; no secret is in it. */
export const user = z.object({
  id,
  username: z.string(),
  email: z.string(),
  fullName: z.nullable(z.string()),
  role,
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
})
export type User = z.output<typeof user>

const username = z
  .string(usernameMessage)
  .check(
    z.minLength(3, usernameMessage),
    z.maxLength(32, 'Username must be at most 32 characters'),
    z.regex(/^[A-Za-z0-9_.-]+$/, 'Username may only contain letters, digits, dots, dashes and underscores'),
  )
const password = z.string(passwordMessage).check(z.minLength(6, passwordMessage), z.maxLength(128, 'Password must be at most 128 characters'))

/** `username` may be the username or the e-mail address. */
export const credentials = z.object({ username: line(3, 254, usernameMessage), password })
const blankIsAbsent = <T extends z.core.$ZodType>(schema: T) => z.optional(z.union([z.literal(''), schema]))
export const registration = z.object({
  username,
  email: emailAddress('Please enter a valid email address'),
  password,
  fullName: blankIsAbsent(line(2, 100, 'Full name must be at least 2 characters')),
  referralCode: blankIsAbsent(line(6, 32, 'Referral code must be at least 6 characters')),
})
/** The form's own schema: `confirmPassword` is compared in the browser and never sent. */
export const registrationForm = z
  .extend(registration, { confirmPassword: password })
  .check(z.refine((form) => form.password === form.confirmPassword, { path: ['confirmPassword'], message: "Passwords don't match" }))

// Only compared, so its length is nobody's business but the hash's.
const currentPassword = z.string(missingPasswordMessage).check(z.minLength(1, missingPasswordMessage), z.maxLength(128, missingPasswordMessage))
/** An empty full name takes it off. */
export const profileChange = z.object({
  fullName: z.union([z.literal(''), line(2, 100, 'Full name must be at least 2 characters')]),
  email: emailAddress('Please enter a valid email address'),
  currentPassword,
})
export const passwordChange = z.object({ currentPassword, newPassword: password })
/** The form's own schema: `confirmPassword` is compared in the browser and never sent. */
export const passwordForm = z
  .extend(passwordChange, { confirmPassword: password })
  .check(z.refine((form) => form.newPassword === form.confirmPassword, { path: ['confirmPassword'], message: "Passwords don't match" }))

export const registered = z.object({ user, referralApplied: z.boolean() })

export const currentUser = get('/api/user', { summary: 'Who is signed in', access: 'member', nobodyIsNull: true, output: user })
export const login = post('/api/login', { summary: 'Log in', access: 'public', limit: 'login', body: credentials, output: user })
export const register = post('/api/register', { summary: 'Create an account', access: 'public', limit: 'register', body: registration, output: registered })
export const logout = post('/api/logout', { summary: 'Log out', access: 'public', output: z.object({ message: z.string() }) })
export const updateProfile = put('/api/account/profile', {
  summary: 'Change full name and e-mail address',
  access: 'member',
  limit: 'account',
  body: profileChange,
  output: user,
})
export const updatePassword = put('/api/account/password', {
  summary: 'Change the password; other sessions end',
  access: 'member',
  limit: 'account',
  body: passwordChange,
  output: user,
})

export const userSorts = ['createdAt', 'username', 'email', 'role'] as const
export const userListQuery = z.object({
  page: z.optional(z.coerce.number<string | number>().check(z.int(), z.gte(1), z.lte(1_000_000))),
  pageSize: z.optional(z.coerce.number<string | number>().check(z.int(), z.gte(1), z.lte(500))),
  sort: z.optional(z.enum(userSorts)),
  order: z.optional(z.enum(['asc', 'desc'])),
  search: z.optional(line(0, 254, '')),
})
export const listUsers = get('/api/admin/users', { summary: 'Users, newest first', access: 'admin', paged: true, query: userListQuery, output: z.array(user) })
export type UserRow = Output<typeof listUsers>['rows'][number]
