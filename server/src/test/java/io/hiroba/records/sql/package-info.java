@NullMarked
package io.hiroba.records.sql;

import org.jspecify.annotations.NullMarked;
