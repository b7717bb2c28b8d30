@NullMarked
package io.hiroba.accounts;

import org.jspecify.annotations.NullMarked;
