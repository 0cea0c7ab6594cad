import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { UserRow } from '#features/accounts/admin-contract.ts'
import { callOf } from '#web/data.ts'
import { previewSubscription } from '../admin-contract.ts'
import { isUnchanged, requestBody, type SubscriptionForm, stateOf, subscriptionForm } from './subscription-form.ts'

/** The server's preview of saving the form. Not requested while the form is unchanged or invalid. */
export function useEditPreview(user: UserRow, values: SubscriptionForm) {
  const shown = stateOf(user)
  const isReady = !isUnchanged(shown, values) && subscriptionForm(shown).safeParse(values).success
  const body = requestBody(shown, values)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [previewSubscription.id, user.id, body],
    queryFn: ({ client, signal }) => callOf(client)(previewSubscription, { params: { userId: user.id }, body }, signal),
    enabled: isReady,
    staleTime: 0,
    gcTime: 0,
    placeholderData: keepPreviousData,
  })
  return { isReady, outcome: isReady ? data : undefined, error: isReady ? error : null, isFetching, refetch }
}
