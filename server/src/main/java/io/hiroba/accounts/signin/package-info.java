/**
 * Signing in: sessions for browsers, tokens for programs, and the handler that tells who is calling. Every secret is
 * 256 random bits of which only the SHA-256 is stored; what may be guessed is throttled over all nodes.
 */
@NullMarked
package io.hiroba.accounts.signin;

import org.jspecify.annotations.NullMarked;
