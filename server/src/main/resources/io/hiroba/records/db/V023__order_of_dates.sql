-- How the texts are written that a change of a type converts: as percentages or durations, amounts with which sign, and whether the month or
-- the day comes first.
ALTER TABLE records.retypes
    ADD COLUMN number_format text CHECK (number_format IN ('PERCENT', 'DURATION')),
    ADD COLUMN currency_sign text,
    ADD COLUMN date_order text CHECK (date_order IN ('month-first', 'day-first'));
