import { index, layout, prefix, type RouteConfig, route } from '@react-router/dev/routes'

/** Every screen of the specification (§2) under its own path, misspellings included. */
export default [
  layout('routes/public-layout.tsx', [
    index('routes/home.tsx'),
    route('all-worker', 'routes/all-worker.tsx'),
    route('all-task', 'routes/all-task.tsx'),
    route('login', 'routes/login.tsx'),
    route('sign-up', 'routes/sign-up.tsx'),
    route('setup', 'routes/setup.tsx'),
    route('reset', 'routes/reset.tsx'),
    route('verify', 'routes/verify.tsx'),
    route('*', 'routes/not-found.tsx'),
  ]),
  ...prefix('dashboard', [
    layout('routes/dashboard/layout.tsx', [
      index('routes/dashboard/profile.tsx'),
      route('add-task', 'routes/dashboard/add-task.tsx'),
      route('my-task', 'routes/dashboard/my-task.tsx'),
      route('update-task/:id', 'routes/dashboard/update-task.tsx'),
      route('available-task', 'routes/dashboard/available-task.tsx'),
      route('task-details/:id', 'routes/dashboard/task-details.tsx'),
      route('task-to-review', 'routes/dashboard/task-to-review.tsx'),
      route('approved-task', 'routes/dashboard/approved-task.tsx'),
      route('my-submisson', 'routes/dashboard/my-submisson.tsx'),
      route('purchase-coin', 'routes/dashboard/purchase-coin.tsx'),
      route('purchase-coin/payment/:price', 'routes/dashboard/purchase-coin-payment.tsx'),
      route('paymenthistory', 'routes/dashboard/payment-history.tsx'),
      route('paymenthistory/:transactionId', 'routes/dashboard/payment-receipt.tsx'),
      route('payments', 'routes/dashboard/payments.tsx'),
      route('withDrawal-form', 'routes/dashboard/withdrawal-form.tsx'),
      route('withdraw-request', 'routes/dashboard/withdraw-request.tsx'),
      route('manage-users', 'routes/dashboard/manage-users.tsx'),
      route('manage-task', 'routes/dashboard/manage-task.tsx'),
      route('security', 'routes/dashboard/security.tsx'),
      route('statement', 'routes/dashboard/statement.tsx'),
      route('messages', 'routes/dashboard/messages.tsx'),
      route('books', 'routes/dashboard/books.tsx'),
      route('jobs', 'routes/dashboard/jobs.tsx'),
      route('*', 'routes/dashboard/not-found.tsx'),
    ]),
  ]),
] satisfies RouteConfig
