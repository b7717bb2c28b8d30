@NullMarked
package io.hiroba.accounts.signin;

import org.jspecify.annotations.NullMarked;
