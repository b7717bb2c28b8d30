/**
 * What is confirmed by a code sent to an e-mail address: signing up, resetting a password, changing the address. Whether
 * an address is known shows neither in an answer nor in the work done before it.
 */
@NullMarked
package io.hiroba.accounts.signup;

import org.jspecify.annotations.NullMarked;
