import { Suspense } from 'react'
import { pagePart } from '#web/ui/hydration/page-part.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { AuthFrame } from './auth-frame.tsx'

const ForgotPasswordForm = pagePart(() => import('./forgot-password-form.tsx'), 'ForgotPasswordForm')

export function ForgotPasswordPage() {
  return (
    <AuthFrame
      title="Forgot your password?"
      lead="Enter the email address of your account. We will send you a link to set a new password."
    >
      <Suspense fallback={<Skeleton className="h-56" />}>
        <ForgotPasswordForm />
      </Suspense>
    </AuthFrame>
  )
}
