-- The order of names that people read, in any script: ICU's root collation, with equal names ordered by their bytes.
CREATE COLLATION platform.names (provider = icu, locale = 'und');
-- The same order by base letters alone, in which case, accents, width and the kind of kana are no difference.
CREATE COLLATION platform.base_letters (provider = icu, locale = 'und-u-ks-level1', deterministic = false);
