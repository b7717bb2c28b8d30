@NullMarked
package io.hiroba.accounts.signup;

import org.jspecify.annotations.NullMarked;
