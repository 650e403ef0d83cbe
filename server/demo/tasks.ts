/** A submission to a demo task: approved, rejected with a reason, or pending without an `outcome`. */
export type DemoSubmission = {
  by: string
  daysAgo: number
  text: string
  outcome?: 'approved' | { rejected: string }
}
export type DemoTask = {
  buyer: string
  title: string
  detail: string
  submissionInfo: string
  slots: number
  reward: number
  postedDaysAgo: number
  deadlineInDays: number
  work: readonly DemoSubmission[]
}

const approved = 'approved' as const

/** The tasks of the demo data with their submissions. */
export const DEMO_TASKS: readonly DemoTask[] = [
  {
    buyer: 'maya',
    title: 'Record thirty minutes of everyday Bengali speech',
    detail:
      'Talk freely about your day, your food or your neighbourhood in a quiet room. One file of thirty minutes, any phone will do.',
    submissionInfo: 'A link to the recording and the place where you grew up',
    slots: 6,
    reward: 300,
    postedDaysAgo: 52,
    deadlineInDays: 25,
    work: [
      {
        by: 'nusrat',
        daysAgo: 50,
        text: 'https://example.com/audio/nusrat-30min (Khulna)',
        outcome: approved,
      },
      {
        by: 'tanvir',
        daysAgo: 46,
        text: 'https://example.com/audio/tanvir-30min (Sylhet)',
        outcome: approved,
      },
      {
        by: 'farhana',
        daysAgo: 40,
        text: 'https://example.com/audio/farhana-30min (Dhaka)',
        outcome: approved,
      },
      {
        by: 'sadia',
        daysAgo: 26,
        text: 'https://example.com/audio/sadia-30min (Rajshahi)',
        outcome: approved,
      },
    ],
  },
  {
    buyer: 'dhaka-eats',
    title: 'Visit a restaurant near you and describe the menu',
    detail: 'Photograph the menu, write down every dish with its price and say how busy it was at noon.',
    submissionInfo: 'The list of dishes and a link to the photos',
    slots: 8,
    reward: 150,
    postedDaysAgo: 28,
    deadlineInDays: 15,
    work: [
      {
        by: 'nusrat',
        daysAgo: 24,
        text: 'Star Kabab, 42 dishes: https://example.com/menus/star-kabab',
        outcome: approved,
      },
      {
        by: 'arif',
        daysAgo: 19,
        text: 'Hotel Salam, 18 dishes: https://example.com/menus/salam',
        outcome: approved,
      },
      { by: 'imran', daysAgo: 4, text: 'https://example.com/menus/hazi', outcome: approved },
      { by: 'farhana', daysAgo: 0, text: 'Nanna Biryani, 25 dishes: https://example.com/menus/nanna' },
    ],
  },
  {
    buyer: 'shafiq',
    title: 'Transcribe a Bengali voice note',
    detail:
      'Two minutes of clear speech about a shop order. Write down every word as it is spoken, in Bengali script.',
    submissionInfo: 'The whole text in the answer box',
    slots: 15,
    reward: 25,
    postedDaysAgo: 40,
    deadlineInDays: 12,
    work: [
      {
        by: 'nusrat',
        daysAgo: 38,
        text: 'আসসালামু আলাইকুম, আমি পাঁচ কেজি চাল আর দুই লিটার তেল অর্ডার করতে চাই…',
        outcome: approved,
      },
      {
        by: 'tanvir',
        daysAgo: 36,
        text: 'Full transcript: five kilos of rice, two litres of oil, delivery before Friday prayer…',
        outcome: approved,
      },
      {
        by: 'farhana',
        daysAgo: 30,
        text: 'The transcript, checked twice against the recording…',
        outcome: approved,
      },
      {
        by: 'arif',
        daysAgo: 22,
        text: 'rice oil friday',
        outcome: { rejected: 'Please write the whole text, not a summary.' },
      },
      { by: 'sadia', daysAgo: 15, text: 'Complete text with the pauses marked…', outcome: approved },
      { by: 'imran', daysAgo: 2, text: 'সম্পূর্ণ লেখা এখানে: আমি আগামীকাল সকালে…' },
    ],
  },
  {
    buyer: 'shafiq',
    title: 'Watch a 2-minute video and leave feedback',
    detail:
      'Open the link, watch to the end and answer three questions: what is it for, what was unclear, would you use it?',
    submissionInfo: 'Three short answers and the word shown in the last frame',
    slots: 40,
    reward: 8,
    postedDaysAgo: 20,
    deadlineInDays: 18,
    work: [
      {
        by: 'nusrat',
        daysAgo: 18,
        text: '1. A rice cooker. 2. The price. 3. Yes. Word: LOTUS',
        outcome: approved,
      },
      {
        by: 'arif',
        daysAgo: 16,
        text: '1. Cooking rice. 2. Nothing. 3. Maybe. Word: LOTUS',
        outcome: approved,
      },
      {
        by: 'farhana',
        daysAgo: 9,
        text: '1. A kitchen machine. 2. The warranty. 3. Yes. Word: LOTUS',
        outcome: approved,
      },
      {
        by: 'tanvir',
        daysAgo: 1,
        text: '1. A cooker with a timer. 2. How to clean it. 3. Yes, for my mother. Word: LOTUS',
      },
      { by: 'sadia', daysAgo: 1, text: '1. Rice cooker. 2. Where to buy it. 3. Yes. Word: LOTUS' },
    ],
  },
  {
    buyer: 'maya',
    title: 'Label 50 street photos',
    detail:
      'For each photo mark whether a bus stop is visible, partly visible or not there. The sheet has one row a photo.',
    submissionInfo: 'The completion code from the end of the sheet',
    slots: 20,
    reward: 15,
    postedDaysAgo: 30,
    deadlineInDays: 45,
    work: [
      { by: 'nusrat', daysAgo: 27, text: 'Code: BUS-7741', outcome: approved },
      { by: 'farhana', daysAgo: 25, text: 'Code: BUS-7752', outcome: approved },
      { by: 'sadia', daysAgo: 12, text: 'Code: BUS-8120', outcome: approved },
      { by: 'tanvir', daysAgo: 6, text: 'Code: BUS-8344', outcome: approved },
      { by: 'arif', daysAgo: 3, text: 'Code: BUS-8391' },
    ],
  },
  {
    buyer: 'dhaka-eats',
    title: 'Check 20 product prices',
    detail:
      'Compare the list with the shop pages and write today’s price beside each product. Say which were out of stock.',
    submissionInfo: 'A link to the completed sheet',
    slots: 30,
    reward: 12,
    postedDaysAgo: 14,
    deadlineInDays: 30,
    work: [
      {
        by: 'nusrat',
        daysAgo: 11,
        text: 'https://example.com/sheets/prices-nusrat (2 out of stock)',
        outcome: approved,
      },
      { by: 'tanvir', daysAgo: 8, text: 'https://example.com/sheets/prices-tanvir', outcome: approved },
    ],
  },
  {
    buyer: 'dhaka-eats',
    title: 'Test our sign-up form on your phone',
    detail:
      'Register with a made-up name, note anything confusing, slow or broken, and tell us which phone you used.',
    submissionInfo: 'A short written report',
    slots: 3,
    reward: 30,
    postedDaysAgo: 10,
    deadlineInDays: 8,
    work: [
      {
        by: 'farhana',
        daysAgo: 9,
        text: 'Samsung A14. The password field jumps when the keyboard opens.',
        outcome: approved,
      },
      { by: 'sadia', daysAgo: 7, text: 'Redmi 12. All good, the photo upload was slow.', outcome: approved },
      { by: 'arif', daysAgo: 5, text: 'Walton Primo. Error text covers the button.', outcome: approved },
    ],
  },
  {
    buyer: 'maya',
    title: 'পাঁচটি শাড়ির বিবরণ লিখুন',
    detail: 'প্রতিটি ছবির জন্য দুই-তিন বাক্যে শাড়ির রং, কাপড় ও নকশার বর্ণনা দিন। সহজ বাংলায় লিখবেন।',
    submissionInfo: 'পাঁচটি অনুচ্ছেদ',
    slots: 10,
    reward: 40,
    postedDaysAgo: 6,
    deadlineInDays: 21,
    work: [{ by: 'nusrat', daysAgo: 1, text: '১. গাঢ় সবুজ জামদানি, সোনালি পাড়ে ফুলের নকশা…' }],
  },
]
