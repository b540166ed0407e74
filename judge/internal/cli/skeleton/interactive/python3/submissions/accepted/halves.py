least, most = 1, 1000
while True:
    guess = (least + most) // 2
    print(guess, flush=True)
    answer = input()
    if answer == "correct":
        break
    if answer == "larger":
        least = guess + 1
    else:
        most = guess - 1
