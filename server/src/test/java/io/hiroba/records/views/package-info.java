@NullMarked
package io.hiroba.records.views;

import org.jspecify.annotations.NullMarked;
