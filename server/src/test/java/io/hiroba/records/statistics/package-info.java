@NullMarked
package io.hiroba.records.statistics;

import org.jspecify.annotations.NullMarked;
