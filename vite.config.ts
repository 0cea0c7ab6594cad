import { resolve } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { noServerImports } from './scripts/vite/no-server-imports.ts'
import { thinContracts } from './scripts/vite/thin-contracts.ts'
import { tvTarget } from './scripts/vite/tv-target.ts'

const framework =
  /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack\/(router-core|react-router|query-core|react-query|history|store|react-store))\//
const smallParts = new RegExp(
  [
    String.raw`src/web/ui/(button/button|badge|tabs/tabs|skeleton|announce|live-region|ticks|section-head|page-header|spinner)[\w-]*\.tsx?$`,
    String.raw`src/web/brand/(mascot|test-bars|channel-mark|channel-logo|text-hash)[\w-]*\.tsx?$`,
    String.raw`src/web/data\.ts`,
    // Without those that only a part of the account pages uses.
    String.raw`src/features/(?!(announcements|devices|guide|imports|incidents|iptv|passkeys|payments|provisioning|receipts|referrals|reports|sessions|tickets|trials|watch)/)\w+/contract\.ts$`,
    String.raw`src/features/catalog/web/plans/(tier-label|plan-card|price|pricing-section|connection-badge|plan-link)\.tsx?$`,
    String.raw`src/web/pages/use-running-plan\.ts$|subscriptions/running-rules\.ts$`,
    String.raw`src/features/catalog/web/faq-list\.tsx$`,
    'src/kit/(money|mark-logo|thin-endpoint)',
    'node_modules/clsx/',
    String.raw`src/web/brand/create-icon\.tsx$|lucide-react/dist/esm/icons/(check|chevron-down)\.`,
  ].join('|'),
)
const deskParts = new RegExp(
  [
    String.raw`src/web/pages/admin/(admin-frame|two-factor-note|desk/(?!desk-shell|desk-sheet|keys-dialog))`,
    String.raw`src/web/ui/(list-views|user-mark|dialog/lazy-confirm-dialog)\.`,
    String.raw`src/features/(desk/rules|saved-views/web/saved-views-menu|saved-views/web/use-view-address|installation/web)`,
    String.raw`lucide-react/dist/esm/icons/(banknote|bookmark|cable|chart-line|flag|hourglass|layout-dashboard|megaphone|panel-left|receipt-text|repeat|scroll-text|shield-user|ticket|user|users)\.`,
  ].join('|'),
)
const onEveryPage = ['framework', 'parts', 'rolldown-runtime']
/** Groups small modules into shared chunks: each separate file adds HTTP headers and compresses on its own. */
const codeSplitting = {
  includeDependenciesRecursively: false,
  groups: [
    { name: 'parts', test: smallParts },
    {
      name: 'admin-endpoints',
      test: /(?<!staff)\/admin-([\w-]+-)?contract\.ts$|src\/web\/ui\/permission\/|src\/kit\/permissions\.ts$|payments\/web\/use-confirm-exact(-link)?\.ts$/,
    },
    { name: 'framework', test: framework },
    // Every visitor's first download lists all file names, so the guide is one file, beside what the player and the channels use of it.
    {
      name: 'guide',
      test: /src\/features\/guide\/(contract\.ts|(view-|archive-)?rules\.ts|web\/(archives|guide-mark|guide-query|use-marks|use-now-next|use-reminder-toasts)\.tsx?$)|src\/kit\/clock\.ts$|src\/web\/(brand\/(program-scene\.|scene-choice\.|scenes\.svg)|pages\/channel-notes\.|ui\/time\/use-time-zone\.)/,
    },
    {
      name: 'guide-view',
      test: /src\/features\/guide\/(grid-rules\.ts|web\/(?!admin|marked-programs|program-dialog)[\w-]+\.tsx?)$/,
    },
    // Recordings to continue: one file that the player, the TV and the details of a program load on demand.
    {
      name: 'continue',
      test: /src\/features\/watch-progress\/(?!web\/(forget-dialog|history-card))|src\/web\/pages\/(viewing\/watch-continue|tv\/tv-(continue|recording))\./,
    },
    // The same for the pages of devices, and for their dialogs.
    { name: 'device-dialogs', test: /src\/features\/devices\/web\/[\w-]+-dialog\.tsx$/ },
    {
      name: 'devices',
      test: /src\/features\/(devices\/|accounts\/web\/profile\/keep-devices)|src\/web\/pages\/(dashboard\/screens-page|tv\/)/,
    },
    // The same for dialogs of administrators that are opened one after the other.
    {
      name: 'request-dialogs',
      test: /src\/features\/((inquiries|reports|trials)\/web\/admin-[\w-]+-(dialog|details|preview)\.tsx|incidents\/web\/(?!admin-incidents?-(section|item))[\w-]+\.tsx?)$/,
    },
    {
      name: 'catalog-dialogs',
      test: /src\/features\/catalog\/web\/admin\/(admin-[\w-]+-dialog|admin-plan-fields|admin-guide-steps?|use-entry-form)\.tsx?$/,
    },
    {
      name: 'messages',
      test: /src\/features\/tickets\/(contract|rules)\.ts$|src\/features\/tickets\/web\/(message-list|ticket-status-badge|use-new-messages)\.tsx?$/,
    },
    {
      name: 'own-messages',
      test: /src\/features\/(announcements\/web\/(own-announcements|news-card)|tickets\/web\/own-ticket-list)\.tsx$/,
    },
    {
      name: 'announcement-dialogs',
      test: /src\/features\/announcements\/(admin-contract\.ts\?whole|web\/(admin-announcement-dialog|announcement-form|recipients-note)\.tsx?)$|src\/web\/pages\/admin\/announcements\/announcement-review\.tsx$/,
    },
    { name: 'mark-icons', test: /lucide-react\/dist\/esm\/icons\/(bell|bell-ring|bookmark-check|bookmark-plus)\./ },
    // What the viewing pages and some pages of administrators use.
    {
      name: 'now',
      test: /src\/web\/ui\/time\/use-now\.ts$|lucide-react\/dist\/esm\/icons\/(bookmark|calendar-days|flag|monitor-play|user)\./,
    },
    // What the viewing pages share: their bar, what they record for a self-check, and small parts of the player.
    {
      name: 'viewing',
      test: /src\/web\/(pages\/viewing\/viewer-bar|brand\/open-eyes|ui\/form\/use-early-input)\.tsx?$|src\/features\/(self-check\/web\/player-events|watch\/(rules|web\/language-name)|watchlist\/web\/use-watchlist-toggle)\.ts$|lucide-react\/dist\/esm\/icons\/(activity|rotate-cw|star)\./,
    },
    // What every contract is made of.
    { name: 'schema-parts', test: /src\/kit\/(download|endpoint|text)\.ts$/ },
    // Every visitor's first download lists all file names, so the form components share one file.
    {
      name: 'fields',
      test: /src\/web\/ui\/form\/(field|field-context|field-error|input|textarea|native-select|checkbox|error-summary)\.tsx?$/,
    },
    // Lists use the fields without forms.
    {
      name: 'forms',
      test: /src\/web\/ui\/form\/(use-schema-form|use-form-draft|form-drafts)\.ts$|node_modules\/(react-hook-form|@hookform)\//,
    },
    // What all pages of administrators load: their frame and its icons. Lists and tables are on most of them.
    { name: 'desk', test: deskParts },
    { name: 'tables', test: /src\/web\/ui\/(table\/(?!search-input|table-roles|use-search-key)|user-link)/ },
    // Shortcut keys can be turned off, and announcements dismissed, in the local storage.
    {
      name: 'search-key',
      test: /src\/web\/ui\/(table\/use-search-key|use-key-down|use-local-storage)\.ts$|src\/features\/announcements\/contract\.ts$/,
    },
    { name: 'dates', test: /node_modules\/date-fns\// },
    // The same holds for the components of account pages, and for notes with their icons.
    {
      name: 'account-parts',
      test: /src\/web\/ui\/(card|status-badge|detail-line|money|meter|tabs\/tab-panel|button\/copy-button|time\/paid-periods-text)\.tsx$|lucide-react\/dist\/esm\/icons\/(ban|copy|eye|eye-off|key-round|minus|receipt|undo-2)\./,
    },
    {
      name: 'account-icons',
      test: /lucide-react\/dist\/esm\/icons\/(arrow-down|arrow-left|arrow-up|credit-card|download|plus|printer)\./,
    },
    {
      name: 'state-parts',
      test: /src\/web\/(ui\/(empty-state|error-state|table\/search-input)\.tsx?)$|lucide-react\/dist\/esm\/icons\/(circle-alert|circle-exclamation-point|search|play)\./,
    },
    // Icons of the home page that other pages have too.
    {
      name: 'home-icons',
      test: /lucide-react\/dist\/esm\/icons\/(calendar-clock|globe|message-circle|monitor-smartphone|tv)\./,
    },
    { name: 'device-icons', test: /lucide-react\/dist\/esm\/icons\/(laptop|smartphone|tablet)\./ },
    { name: 'player-icons', test: /lucide-react\/dist\/esm\/icons\/(keyboard|pause|rotate-ccw-clock|skip-back)\./ },
    // The bars above the content of a page, which few pages have.
    { name: 'bars', test: /src\/web\/shell\/(announcement-bar|viewing-banner)\.tsx$/ },
    { name: 'choice-parts', test: /src\/web\/ui\/(segmented|table\/table-roles)\.tsx?$/ },
    {
      name: 'note-parts',
      test: /src\/web\/ui\/(note|time\/date-text)\.tsx?$|lucide-react\/dist\/esm\/icons\/(circle-check|clock|info)\./,
    },
  ],
}

const target = 'es2023'

export default defineConfig(({ command }) => ({
  plugins: [noServerImports(), thinContracts(), tailwindcss(), react()],
  appType: 'custom',
  // Only in builds: the development server does not bundle Lucide, so it would serve each of its modules.
  ...(command === 'build' && {
    resolve: {
      alias: [
        {
          find: /^\.\.\/createLucideIcon\.mjs$/,
          replacement: resolve(import.meta.dirname, 'src/web/brand/create-icon.tsx'),
        },
      ],
    },
  }),
  publicDir: 'public',
  build: {
    target,
    modulePreload: {
      polyfill: false,
      // The first download of every visitor holds these lists, so they leave out what every page has already, and the
      // scripts of administrators: a browser finds those in the page's module.
      resolveDependencies: (page, files) =>
        files.filter((file) => !file.endsWith('.0.js') && !(page.endsWith('.1.js') && file.endsWith('.js'))),
    },
  },
  builder: {
    buildApp: async (builder) => {
      await builder.build(builder.environments.client!)
      await builder.build(builder.environments.tv!)
      await builder.build(builder.environments.ssr!)
    },
  },
  environments: {
    client: {
      build: {
        outDir: 'dist/client',
        emptyOutDir: true,
        manifest: true,
        assetsInlineLimit: 0,
        // Short names (a content hash only), since every visitor's first download lists file names. `.0`: what every page
        // loads, `.1`: what only administrators load.
        rolldownOptions: {
          input: 'src/web/entry-browser.tsx',
          output: {
            codeSplitting,
            chunkFileNames: ({ name, facadeModuleId }) =>
              `assets/[hash:7]${onEveryPage.includes(name) ? '.0' : /\/src\/.*\/admin[-/]/.test(facadeModuleId ?? '') ? '.1' : ''}.js`,
          },
        },
      },
    },
    // The page of television sets on its own, in the syntax of their browsers (docs/decisions/098-the-page-of-television-sets.md).
    ...(command === 'build' && {
      tv: {
        consumer: 'client' as const,
        build: {
          outDir: 'dist/client',
          emptyOutDir: false,
          copyPublicDir: false,
          manifest: '.vite/tv-manifest.json',
          assetsInlineLimit: 0,
          target: tvTarget,
          // As in the other build, so that both name the same file.
          cssTarget: target,
          rolldownOptions: {
            input: 'src/web/entry-tv.tsx',
            output: { entryFileNames: 'assets/tv-[hash:7].js', chunkFileNames: 'assets/tv-[hash:7].js' },
          },
        },
      },
    }),
    ssr: {
      // Bundles all dependencies: loading one file is faster than a thousand modules. Always uses React's production build, whatever NODE_ENV is.
      ...(command === 'build' && {
        resolve: { noExternal: true as const },
        define: { 'process.env.NODE_ENV': '"production"' },
      }),
      build: {
        outDir: 'dist/server',
        emptyOutDir: true,
        copyPublicDir: false,
        rolldownOptions: { input: 'src/web/entry-server.tsx' },
      },
    },
  },
}))
