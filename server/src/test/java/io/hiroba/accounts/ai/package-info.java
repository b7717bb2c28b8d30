@NullMarked
package io.hiroba.accounts.ai;

import org.jspecify.annotations.NullMarked;
