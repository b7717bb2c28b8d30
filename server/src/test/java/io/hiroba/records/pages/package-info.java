@NullMarked
package io.hiroba.records.pages;

import org.jspecify.annotations.NullMarked;
