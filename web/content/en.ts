import { STARTING_COINS } from '#contract/product.ts'

/*
 * The fixed texts of the public pages. A second language is a second file with the same exports.
 */

export const publicInfo = {
  description:
    'A micro-tasking platform: post small tasks and pay in coins, or do them, earn coins and withdraw them as money.',
  footer: 'A micro-tasking platform that connects people with quick jobs and rewards them with coins.',
  joinAsDeveloper: 'https://github.com',
} as const

export const hero = {
  /** After the withdrawal rate, as in "20 coins = 1 dollar". */
  rate: 'when you withdraw',
  title: ['Deliver results with ', 'freelance professionals'],
  lead: 'Post a small task, set the pay in coins and approve the work you like. Workers are paid as soon as you approve.',
  findWork: 'Find Work',
  findTalent: 'Find Talent',
  people: '10,000+ people already earn here',
  /** The example card beside the claim. */
  card: {
    name: 'Nusrat Jahan',
    role: 'Worker · Dhaka',
    verified: 'Verified',
    balanceLabel: 'Coin balance',
    balance: 4820,
    earned: [
      { title: 'Transcribe a voice note', state: 'Approved 2 min ago', coins: 25 },
      { title: 'Check 20 product prices', state: 'Approved today', coins: 12 },
      { title: 'Label 50 street photos', state: 'In review', coins: 15 },
    ],
    paid: { title: 'Withdrawal approved', text: '$24.00 sent to bKash' },
  },
  avatarNames: ['Nusrat Jahan', 'Tanvir Ahmed', 'Farhana Islam', 'Arif Chowdhury'],
} as const

export const statistics = [
  { value: '25,000+', label: 'tasks completed' },
  { value: '10,000+', label: 'registered users' },
  { value: '5,00,000+', label: 'coins earned' },
] as const

export const talent = {
  title: 'Our Finest Talent Pool',
  lead: 'The workers who hold the most coins.',
  empty: 'No workers have earned coins yet.',
  viewAll: 'View all workers',
} as const

export const about = {
  title: 'About Us',
  lead: 'Work comes in small pieces. We make sure that each piece is paid.',
  items: [
    {
      title: 'Our mission',
      text: 'To let anyone with a phone and a spare hour earn honest money, and anyone with a small job find good hands for it, without a contract, an invoice or a wait.',
    },
    {
      title: 'Our vision',
      text: 'A marketplace where trust needs no favours: the coins for a task are set aside before the work begins, and both sides can see where every one of them is.',
    },
    {
      title: 'Our goals',
      text: 'Reviews within days, payment within seconds, withdrawals that arrive, and books that balance to the last coin, every day.',
    },
  ],
} as const

export const whyChoose = {
  title: 'Why Choose Us',
  lead: 'Built so that both sides know what happens with every coin.',
  benefits: [
    {
      title: 'Secure Payment',
      text: 'Every transaction is encrypted and routed through secure gateways, so that your balance is always safe.',
    },
    {
      title: 'Easy Task Posting',
      text: 'Create and manage tasks with an intuitive interface that tells you the total cost before you publish.',
    },
    {
      title: 'Verified Workers',
      text: 'Work only with trusted, verified professionals, and approve every submission before its coins move.',
    },
  ],
} as const

export const packages = {
  title: 'Coin Packages',
  lead: 'Buy once, spend on any task. Coins never expire.',
  /** Of the packages with these coins. */
  notes: { 10: 'Try it out', 150: 'For a first campaign', 500: 'Most popular' } as Record<number, string>,
  popular: 500,
  /** Of the package with the lowest price per coin. */
  bestValue: 'Best value',
  buyerRequired: {
    title: 'You Need Buyer Account',
    signedOut: 'Coins pay for tasks, and buyers post them. Register as a Buyer to buy coins.',
    unregistered: 'Coins pay for tasks, and buyers post them. Complete your profile as a Buyer to buy coins.',
    otherRole: 'Coins pay for tasks, and buyers post them. Your account has another role.',
  },
} as const

export const news = {
  title: 'Blog and News',
  lead: 'What we learn from thousands of small jobs.',
} as const

export const testimonials = {
  title: 'What Our Users Say',
  lead: 'Hear from talented workers and satisfied buyers.',
  items: [
    {
      id: 1,
      name: 'Mehedi Hasan',
      role: 'Frontend Developer',
      image: '/people/mehedi.svg',
      review:
        'I finish small tasks between classes and withdraw to bKash every week. The review is quick and the coin count is always right.',
    },
    {
      id: 2,
      name: 'Sadia Rahman',
      role: 'UI Designer',
      image: '/people/sadia.svg',
      review:
        'I needed forty people to try a sign-up form. By the evening I had forty honest reports, and the coins I did not need came straight back.',
    },
    {
      id: 3,
      name: 'Imran Kabir',
      role: 'Fullstack Engineer',
      image: '/people/imran.svg',
      review:
        'Both sides see the same numbers. I post labelling jobs, approve what is good, and never have to chase an invoice.',
    },
  ],
} as const

export const contact = {
  title: 'Contact Us',
  lead: 'Questions about a task, a payment or your account? We reply within one working day.',
  send: 'Send message',
  sent: { title: 'Message sent', text: 'Thank you. We reply within one working day.' },
  address: 'House 12, Road 7, Dhanmondi, Dhaka 1205',
  phone: '+880 1700 000 000',
  email: 'help@tallywork.example',
  site: { label: 'tallywork.example', href: 'https://tallywork.example' },
  map: {
    show: 'Show map',
    note: 'Loads a map from openstreetmap.org',
    title: 'Map of our office in Dhanmondi, Dhaka',
    url: 'https://www.openstreetmap.org/export/embed.html?bbox=90.3660%2C23.7400%2C90.3860%2C23.7530&layer=mapnik&marker=23.7465%2C90.3760',
  },
} as const

export const publicLists = {
  workers: {
    title: 'All Workers',
    lead: 'Everyone who works or posts tasks here.',
    description: 'All members: workers who complete small tasks and buyers who post them.',
  },
  tasks: {
    title: 'All Tasks',
    lead: 'Pick a task, submit your work and get paid in coins when the buyer approves it.',
    description: 'Browse small tasks with their pay in coins, open slots and deadlines.',
  },
} as const

export const auth = {
  loginDescription: 'Log in to post tasks, complete tasks and manage your coins.',
  signUpDescription: `Join as a Worker with ${STARTING_COINS.Worker} coins, or as a Buyer with ${STARTING_COINS.Buyer}.`,
  resetDescription: 'Choose a new password for your account.',
  verifyDescription: 'Verify your email address.',
  providerAsWorker: 'These buttons create a Worker account. To join as a Buyer, choose Buyer above first.',
  providerAsBuyer: 'After the sign-in you confirm that you join as a Buyer.',
  setupDescription: 'Create the first Admin of this marketplace.',
  rate: 'Withdrawal rate',
  benefits: [
    'Payment is held in escrow before work begins',
    'Workers are paid as soon as their work is approved',
    'Withdraw from 200 coins to bKash, Nagad, Rocket or a bank account',
  ],
} as const
