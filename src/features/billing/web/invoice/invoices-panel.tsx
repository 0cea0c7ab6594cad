import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Button } from '#web/ui/button/button.tsx'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { SearchInput } from '#web/ui/table/search-input.tsx'
import { TabPanel } from '#web/ui/tabs/tab-panel.tsx'
import { Tabs } from '#web/ui/tabs/tabs.tsx'
import type { Invoice } from '../../contract.ts'
import { type InvoiceTab, invoicesInTab, invoiceTabs, searchInvoices } from '../../rules.ts'
import { InvoiceCard } from './invoice-card.tsx'

const labels: Record<InvoiceTab, string> = { all: 'All', pending: 'Pending', paid: 'Paid', expired: 'Expired' }

/** Search, tabs with counts, and the invoice cards. Search and tab are kept in the URL. */
export function InvoicesPanel({ invoices }: { invoices: Invoice[] }) {
  const { tab: wanted } = useSearch({ from: '/invoices' })
  const navigate = useNavigate({ from: '/invoices' })
  const { typed, setTyped } = useTypedSearch()
  const tab = invoiceTabs.find((each) => each === wanted) ?? 'all'
  const found = searchInvoices(invoices, typed)
  const shown = invoicesInTab(tab, found)
  const isSearching = typed.trim() !== ''
  const choose = (next: InvoiceTab) =>
    void navigate({
      search: (before) => ({ ...before, tab: next === 'all' ? undefined : next }),
      replace: true,
      resetScroll: false,
    })

  return (
    <>
      <SearchInput
        placeholder="Search invoices..."
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        className="mb-4 max-w-md"
      />
      <Tabs
        id="invoices"
        label="Invoices by status"
        tabs={invoiceTabs.map((value) => ({ value, label: labels[value], count: invoicesInTab(value, found).length }))}
        value={tab}
        onChange={choose}
      />
      <TabPanel id="invoices" value={tab} className="pt-5">
        <p className="sr-only" role="status">
          {shown.length === 1 ? '1 invoice' : `${shown.length} invoices`}
        </p>
        {shown.length > 0 ? (
          <ul className="grid gap-4">
            {shown.map((invoice) => (
              <InvoiceCard key={invoice.id} invoice={invoice} />
            ))}
          </ul>
        ) : (
          <div className="card">
            {isSearching ? (
              <EmptyState
                title="No invoices found"
                action={
                  <Button variant="line" onClick={() => setTyped('')}>
                    Clear Search
                  </Button>
                }
              >
                Nothing {tab === 'all' ? '' : `under ${labels[tab]} `}matches “{typed.trim()}”.
              </EmptyState>
            ) : (
              <EmptyState title="No invoices found" action={<ButtonLink to="/pricing">Browse Plans</ButtonLink>}>
                {tab === 'all' ? 'Your invoices appear here once you choose a plan.' : `You have no ${tab} invoices.`}
              </EmptyState>
            )}
          </div>
        )}
      </TabPanel>
    </>
  )
}

/**
 * Returns the search text and its setter. The text filters immediately and is written to the URL after a delay. Changes of the URL (Back, links) are
 * applied to the field.
 */
function useTypedSearch() {
  const { search = '' } = useSearch({ from: '/invoices' })
  const navigate = useNavigate({ from: '/invoices' })
  const [typed, setTyped] = useState(search)
  const [taken, setTaken] = useState(search)
  if (search !== taken) {
    setTaken(search)
    if (search !== typed.trim()) setTyped(search)
  }
  useEffect(() => {
    if (typed.trim() === search) return
    const timer = setTimeout(
      () =>
        void navigate({
          search: (before) => ({ ...before, search: typed.trim() || undefined }),
          replace: true,
          resetScroll: false,
        }),
      200,
    )
    return () => clearTimeout(timer)
  }, [typed, search, navigate])
  return { typed, setTyped }
}
