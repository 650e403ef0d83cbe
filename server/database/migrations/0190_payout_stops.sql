-- A payout that a freeze, a risk score or a disputed card payment stops between its release and its sending fails by a stop.
alter type payout_source add value 'stop';
