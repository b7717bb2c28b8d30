package io.hiroba.inbox.gitlab.deliveries;

/**
 * What a caller is told at once.
 *
 * @param repeated whether the same had come before
 */
public record Receipt(DeliveryId id, boolean repeated) {}
