/** The holder of an account and, for a bank account, the bank. What an account does not have is empty. */
export type BankDetails = {
  holder_name: string
  bank_name: string
  branch: string
  routing_number: string
}

export function presentBankDetails(row: BankDetails) {
  return {
    holderName: row.holder_name,
    bankName: row.bank_name,
    branch: row.branch,
    routingNumber: row.routing_number,
  }
}
