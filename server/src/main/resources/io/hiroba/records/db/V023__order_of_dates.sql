-- Whether the month or the day comes first in the texts of days that a change of a type converts.
ALTER TABLE records.retypes ADD COLUMN date_order text CHECK (date_order IN ('month-first', 'day-first'));
