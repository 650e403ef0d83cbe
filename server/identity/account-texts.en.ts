/** What the API returns after it has queued an email of the account. */
export const ACCOUNT_TEXTS = {
  verificationSent: 'We have sent a link to your email. Follow it to verify your email address.',
  changeSent:
    'If this email is available, we have sent a link to it. Your email changes when you follow the link.',
  resetSent: 'If an account with this email exists, we have sent it a link to choose a new password.',
}
