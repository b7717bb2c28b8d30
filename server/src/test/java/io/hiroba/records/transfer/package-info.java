@NullMarked
package io.hiroba.records.transfer;

import org.jspecify.annotations.NullMarked;
